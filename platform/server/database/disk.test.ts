import fs from "node:fs/promises";
import { expect, test, vi } from "vitest";
import { z } from "zod";
import { call } from "../../kernel/call.ts";
import { hasRoom } from "./disk.ts";
import { testHouse } from "../process/house.sample.ts";
import { createHttp } from "../http/http.ts";
import { serve } from "../pipeline/serve.ts";

/** No test can fill a disk everywhere: the database is made to say so, and the file system is stood in for. */
const house = await testHouse();
const { pool } = house.database;
const one = { method: "POST", summary: "测试", needs: "public", target: "x", reply: z.null() } as const;
const row = call({ ...one, path: "/x/row" });
const file = call({ ...one, path: "/x/file" });
const app = await createHttp(
  house,
  [
    serve(row, async ({ tx }) => {
      await tx.executeQuery({
        sql: `do $$ begin raise exception 'could not extend file "base/1/2"' using errcode = 'disk_full'; end $$`,
        parameters: [],
      } as never);
      return null;
    }),
    serve(file, async () => {
      throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
    }),
  ],
  { logLevel: "silent", perMinute: 0 },
);
const ready = async () => {
  const { statusCode, body } = await house.app.inject({ url: "/readyz" });
  return `${statusCode} ${body.trim()}`;
};

test.each([row.path, file.path])("%s is answered with a sentence and 503", async (url) => {
  const answer = await app.inject({ method: "POST", url });
  expect(answer.json()).toMatchObject({
    code: 503,
    reason: "diskFull",
    message: "服务器磁盘空间不足，暂时无法保存，请联系管理员清理磁盘后重试",
  });
});

test("a data folder without room is not ready until it has some", async () => {
  expect(await ready()).toBe("200 ready");
  const statfs = vi.spyOn(fs, "statfs").mockResolvedValue({ blocks: 100, bavail: 1, bsize: 4096 } as never);
  expect(await ready()).toBe("503 no space");
  statfs.mockRestore();
  expect(await ready()).toBe("200 ready");
});

test("a database that could not write is not ready until it can", async () => {
  await app.inject({ method: "POST", url: row.path });
  const failing = vi
    .spyOn(pool, "query")
    .mockRejectedValue(Object.assign(new Error("could not extend file"), { code: "53100" }) as never);
  expect(await hasRoom(pool, ".")).toBe(false);
  failing.mockRestore();
  expect(await ready()).toBe("200 ready");
  const asked = vi.spyOn(pool, "query");
  expect(await ready()).toBe("200 ready");
  expect(
    asked.mock.calls.map(([sql]) => sql),
    "it is not asked again",
  ).toEqual(["select 1"]);
  asked.mockRestore();
});
