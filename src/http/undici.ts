// The parts of undici that send requests. Its index also loads fetch, WebSocket, caches and mocks, which takes three times as long, and
// becomes the dispatcher of Node's own fetch in a program that uses the library. The version is exact, and the package contains its copy,
// so these paths cannot change for users.

import api from "undici/lib/api/index.js";
import buildConnector from "undici/lib/core/connect.js";
import Agent from "undici/lib/dispatcher/agent.js";
import Client from "undici/lib/dispatcher/client.js";
import Dispatcher from "undici/lib/dispatcher/dispatcher.js";
import EnvHttpProxyAgent from "undici/lib/dispatcher/env-http-proxy-agent.js";
import Pool from "undici/lib/dispatcher/pool.js";

// As the index does.
Object.assign(Dispatcher.prototype, api);

export { Agent, buildConnector, Client, EnvHttpProxyAgent, Pool };
