import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { generate } from "./generate.ts";
import { STANDARD } from "./standard.ts";
import { dayInZone } from "../platform/kernel/day.ts";
import { filledTemplate } from "../platform/server/database/cluster.sample.ts";
import { openHouse } from "../platform/server/process/house.ts";
import { readSettings } from "../platform/server/process/settings.ts";

/** The key of every house for tests. */
export const DEMO_KEY = { SECRET_KEY: "a key for tests, worth nothing elsewhere" };

/** A demo company of so many rooms, made once for all tests of a run: the name of its database, to be copied. */
export function demoCompany(rooms: number, today = dayInZone(new Date(), "Asia/Shanghai")): Promise<string> {
  return filledTemplate(`demo_${rooms}_${today.replaceAll("-", "")}`, async (database) => {
    const dir = mkdtempSync(path.join(os.tmpdir(), "sams-demo-"));
    const settings = readSettings({ DATA_DIR: dir, LOG_LEVEL: "silent", MODE: "demo", ...DEMO_KEY });
    const house = await openHouse(settings, { database, work: false });
    await generate(house.database, house.cipher, { ...STANDARD, rooms, today });
    await house.close();
    rmSync(dir, { recursive: true, force: true });
  });
}
