// Hosts of addresses and patterns of hosts. Fails if two spellings of one host differ, or if an address can hide its host from a pattern.
import { expect, it } from "vitest";
import { hostMatcher, hostOf, parseHostPattern, parseUrl } from "../../src/domain/hosts.ts";

it.each([
  ["https://example.com/", "example.com"],
  ["HTTPS://EXAMPLE.COM./path", "example.com"],
  ["https://example.com:8443/", "example.com"],
  ["https://example.com@evil.test/", "evil.test"],
  ["https://evil.test\\@example.com/", "evil.test"],
  ["https://evil.test%2F@example.com/", "example.com"],
  ["https://b%C3%BCcher.test/", "xn--bcher-kva.test"],
  ["https://BÜCHER.test/", "xn--bcher-kva.test"],
  ["https://ｅｖｉｌ。test/", "evil.test"],
  ["https://0x7f.1/", "127.0.0.1"],
  ["https://[::1]:80/", "[::1]"],
  ["my-app://Evil.TEST/", "evil.test"],
  ["my-app://b%69t.ly/", "bit.ly"],
  ["mailto:anna@example.com", null],
  ["https://", null],
  ["example.com", null],
])("the host of %s is %s", (address, host) => {
  expect(hostOf(address)).toBe(host);
});

it("an international host is valid however often addresses are parsed", () => {
  for (let count = 0; count < 200_000; count += 1) parseUrl("https://example.com/");
  expect(parseUrl("https://BÜCHER.test/")?.hostname).toBe("xn--bcher-kva.test");
});

it.each([
  ["example.com", "example.com", true],
  ["example.com", "www.example.com", false],
  ["example.com", "notexample.com", false],
  ["*.Example.com.", "example.com", false],
  ["*.Example.com.", "a.b.example.com", true],
  ["*.Example.com.", "notexample.com", false],
  ["*.Example.com.", "example.com.evil.test", false],
  ["bücher.test", "xn--bcher-kva.test", true],
  ["[::1]", "[::1]", true],
])("the pattern %s matches %s: %s", (text, host, expected) => {
  expect(hostMatcher([parseHostPattern(text) ?? ""])(host)).toBe(expected);
});

// Others are in fixtures/config/invalid/policies-mistakes.
it.each(["example.com/path", "a.*.com", "*.", "", `${"a".repeat(260)}.com`])("%j is not a pattern", (text) => {
  expect(parseHostPattern(text)).toBeNull();
});
