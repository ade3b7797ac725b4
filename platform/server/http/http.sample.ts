import { Writable } from "node:stream";
import { afterAll } from "vitest";
import type { Call } from "../../kernel/call.ts";
import { testHouse } from "../process/house.sample.ts";
import { createHttp } from "./http.ts";
import type { Served } from "../pipeline/serve.ts";

/** A server that listens and serves just these calls, and what it logs. */
export async function httpOver(served: Served[], perMinute = 1000) {
  const house = await testHouse();
  const logged: string[] = [];
  const logTo = new Writable({
    write: (line: Buffer, _encoding, done) => {
      logged.push(String(line));
      done();
    },
  });
  const app = await createHttp(house, served, { logLevel: "info", perMinute, logTo });
  await app.listen({ host: "127.0.0.1", port: 0 });
  afterAll(() => app.close());
  const { port } = app.server.address() as { port: number };
  const post = (to: Call, payload: string | Buffer, type = "application/json") =>
    app.inject({ method: "POST", url: to.path, payload, headers: { "content-type": type } });
  return { app, house, logged, port, post };
}
