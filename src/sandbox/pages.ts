// The HTML pages that a client without JSON in `Accept` gets.
import { escapeText } from "./page/markup.ts";

const TITLES: Readonly<Record<number, string>> = {
  404: "Not Found",
  405: "Method Not Allowed",
  413: "Payload Too Large",
  419: "Page Expired",
  429: "Too Many Requests",
  500: "Server Error",
};

/** The framework's plain error page; 4.1 and 4.9 differ in what stands behind the title, which nobody can need. */
export function errorPage(status: number): string {
  const title = TITLES[status] ?? "Error";
  return `<!DOCTYPE html>
<html lang="en">
    <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">

        <title>${title}</title>
    </head>
    <body>
        <div class="code">${status}</div>
        <div class="message">${title}</div>
    </body>
</html>
`;
}

/** The body of a redirect. */
export function redirectPage(to: string): string {
  const target = escapeText(to);
  return `<!DOCTYPE html>
<html>
    <head>
        <meta charset="UTF-8" />
        <meta http-equiv="refresh" content="0;url='${target}'" />

        <title>Redirecting to ${target}</title>
    </head>
    <body>
        Redirecting to <a href="${target}">${target}</a>.
    </body>
</html>`;
}

/** Where a client without a key ends up: 200, and no data. */
export const LOGIN_PAGE = `<!DOCTYPE html>
<html lang="en">
    <head><meta charset="utf-8"><title>Login</title></head>
    <body><form method="post" action="/login"><input name="email"><input name="password" type="password"></form></body>
</html>
`;
