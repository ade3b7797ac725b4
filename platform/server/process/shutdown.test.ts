import net from "node:net";
import { once } from "node:events";
import Fastify from "fastify";
import { expect, test } from "vitest";
import { graceful } from "./shutdown.ts";

test("the end waits for the request that runs, and not for a line on which nothing was asked", async () => {
  const app = Fastify({ forceCloseConnections: "idle" });
  const end = graceful(app);
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<string>();
  app.get("/slow", async () => {
    asked.resolve();
    return answer.promise;
  });
  await app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = app.server.address() as net.AddressInfo;
  const silent = net.connect(port, "127.0.0.1");
  await once(silent, "connect");
  const running = fetch(`http://127.0.0.1:${port}/slow`).then((reply) => reply.text());
  await asked.promise;

  const ended = end();
  const first = await Promise.race([
    ended.then(() => "ended"),
    new Promise((r) => setTimeout(r, 400, "waits")),
  ]);
  expect(first).toBe("waits");
  answer.resolve("all of it");
  expect(await running).toBe("all of it");
  await ended;
  expect(app.server.listening).toBe(false);
});
