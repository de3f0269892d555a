// Only what is used of undici is loaded: all of it costs 50 ms at start, these modules 17 ms, and the one for proxies only
// where there is a proxy. The version is pinned.

declare module "undici/lib/dispatcher/agent.js" {
  import type { Agent } from "undici";
  const AgentClass: typeof Agent;
  export default AgentClass;
}

declare module "undici/lib/dispatcher/pool.js" {
  import type { Pool } from "undici";
  const PoolClass: typeof Pool;
  export default PoolClass;
}

declare module "undici/lib/dispatcher/env-http-proxy-agent.js" {
  import type { EnvHttpProxyAgent } from "undici";
  const EnvHttpProxyAgentClass: typeof EnvHttpProxyAgent;
  export default EnvHttpProxyAgentClass;
}

declare module "undici/lib/core/connect.js" {
  import type { buildConnector } from "undici";
  function connector(options?: buildConnector.BuildOptions): buildConnector.connector;
  export default connector;
}

declare module "undici/lib/api/api-connect.js" {
  import type { Dispatcher } from "undici";
  function connect(this: Dispatcher, options: Dispatcher.ConnectOptions): Promise<Dispatcher.ConnectData>;
  export default connect;
}

declare module "undici/lib/api/api-request.js" {
  import type { Dispatcher } from "undici";
  function request(this: Dispatcher, options: Dispatcher.RequestOptions): Promise<Dispatcher.ResponseData>;
  export default request;
}
