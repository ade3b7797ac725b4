import { randomUUID } from "node:crypto";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { commitRoomImport, roomImport, undoRoomImport } from "../domains/listing/import/import.contract.ts";
import { aRow, aSheet, sendSheet } from "../domains/listing/import/import.sample.ts";
import { aVillage } from "../domains/listing/village/village.sample.ts";
import { command } from "../platform/server/process/command.ts";
import { openHouse } from "../platform/server/process/house.ts";
import type { Person, TestHouse } from "../platform/server/process/house.sample.ts";
import { hashOf, newToken } from "../platform/server/pipeline/session.ts";
import { readSettings } from "../platform/server/process/settings.ts";

export type RoomImportMeasure = {
  rows: number;
  fileBytes: number;
  /** Milliseconds of the check over HTTP, of the whole import by its job, and of taking it back. */
  check: number;
  import: number;
  undo: number;
  /** Bytes that the server's memory grew by while checking, at its highest. */
  checkMemory: number;
};

/** One file of many rows through the real server, on disk: checked, taken, taken back. */
export async function measureRoomImport(count = 10_000): Promise<RoomImportMeasure> {
  const dir = mkdtempSync(path.join(os.tmpdir(), "bench-import-"));
  // root's database runs as another user, who passes through here
  chmodSync(dir, 0o711);
  const settings = readSettings({ DATA_DIR: dir, LOG_LEVEL: "silent", RATE_LIMIT: "1000000", MODE: "demo" });
  const house = await openHouse(settings, { work: true });
  try {
    const { db } = house.database;
    const enterprise = await db
      .insertInto("enterprise")
      .values({ name: "青禾公寓管理有限公司" })
      .returning("id")
      .executeTakeFirstOrThrow();
    const person = async (): Promise<Person> => {
      const tag = randomUUID().slice(0, 12);
      const { id } = await db
        .insertInto("operator")
        .values({
          enterpriseId: enterprise.id,
          account: tag,
          realName: "周敏",
          phone: tag,
          superType: "1",
          passwordHash: "-",
        })
        .returning("id")
        .executeTakeFirstOrThrow();
      const token = newToken();
      const expiresAt = new Date(Date.now() + 86_400_000);
      await db
        .insertInto("loginSession")
        .values({ operatorId: id, tokenHash: hashOf(token), expiresAt })
        .execute();
      return { operatorId: id, token };
    };
    const server = { ...house, enterpriseId: enterprise.id, person } as unknown as TestHouse;
    await aVillage(server);
    const as = await person();
    const ask = async (method: "GET" | "POST", template: string, id: number) => {
      const answer = await house.app.inject({
        method,
        url: template.replace(":id", String(id)),
        headers: { authorization: as.token, "idempotency-key": randomUUID() },
        ...(method === "POST" && { payload: {} }),
      });
      const { code, message, data } = answer.json() as {
        code: number;
        message: string;
        data: { state: string };
      };
      if (code !== 200) throw new Error(message);
      return data;
    };

    const bytes = await aSheet(Array.from({ length: count }, (_, i) => aRow(i)));
    globalThis.gc?.();
    const before = process.memoryUsage.rss();
    let highest = before;
    const watch = setInterval(() => (highest = Math.max(highest, process.memoryUsage.rss())), 20);
    let began = performance.now();
    const { id, state } = await sendSheet(server, as, bytes);
    const check = performance.now() - began;
    clearInterval(watch);
    if (state !== "ready") throw new Error(`the file is ${state}`);

    began = performance.now();
    await ask("POST", commitRoomImport.path, id);
    while ((await ask("GET", roomImport.path, id)).state === "importing") await setTimeout(50);
    const taken = performance.now() - began;
    began = performance.now();
    await ask("POST", undoRoomImport.path, id);
    return {
      rows: count,
      fileBytes: bytes.length,
      check: Math.round(check),
      import: Math.round(taken),
      undo: Math.round(performance.now() - began),
      checkMemory: highest - before,
    };
  } finally {
    await house.close();
    rmSync(dir, { recursive: true, force: true });
  }
}

await command(import.meta, async () => {
  console.log(JSON.stringify(await measureRoomImport(), undefined, 1));
});
