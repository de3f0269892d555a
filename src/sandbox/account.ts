// The undocumented endpoints: the account, its domains and its spaces (docs/service.md, "Endpoints").
import { list } from "./list.ts";
import { found, type Reply } from "./reply.ts";
import { type ApiRequest, isSince, USER_ID } from "./service.ts";
import { datesOf, isoTime } from "./zone.ts";

/** Plan features that later versions than 4.1 call otherwise. */
const NAMES_SINCE_4_9: Readonly<Record<string, string>> = {
  stats: "link_stats",
  targeting: "link_targeting",
  expiration: "link_expiration",
  password: "link_password",
  disabled: "link_disabling",
  utm: "link_utm",
  deep_links: "link_deep",
};

export function showAccount({ service }: ApiRequest): Reply {
  const { store, software } = service;
  const { account, domains } = store;
  const own = [...domains.values()].find((domain) => !domain.shared);
  const features = Object.entries(account.features)
    .filter(([name]) => name !== "disabled" || !isSince(software, "49"))
    .map(([name, value]) => [software === "4.1" ? name : (NAMES_SINCE_4_9[name] ?? name), value]);
  return found({
    id: USER_ID,
    name: "User",
    email: "user@example.test",
    avatar_url: "https://example.com/avatar.png",
    locale: "en",
    timezone: account.timezone,
    plan: { id: 1, name: "Default", features: Object.fromEntries(features) },
    default_domain: own?.id ?? null,
    default_space: null,
    default_stats: 1,
    created_at: isoTime(own?.created_at ?? service.now()),
  });
}

export function listDomains(request: ApiRequest): Reply {
  return list(request, {
    rows: [...request.service.store.domains.values()].filter((domain) => !domain.shared),
    view: (domain) => {
      const { shared: _, ...own } = domain;
      return { ...own, url: `http://${domain.name}`, ...datesOf(domain) };
    },
  });
}

export function listSpaces(request: ApiRequest): Reply {
  return list(request, {
    rows: [...request.service.store.spaces.values()],
    view: (space) => ({ ...space, ...datesOf(space) }),
  });
}
