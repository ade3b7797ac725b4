import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { aForm, aRenter, aScan, LEASING } from "../domains/contract/contract/contract.sample.ts";
import { createContract } from "../domains/contract/contract/draft.contract.ts";
import { previewContract } from "../domains/contract/preview/preview.contract.ts";
import { signMany, type ManySigned } from "../domains/contract/signing/many.service.ts";
import { signOfflineContract, submitContract } from "../domains/contract/signing/signing.contract.ts";
import { DEFAULT_TERMS } from "../domains/contract/terms/defaults.rules.ts";
import { seedSubjects } from "../domains/finance/subject/subject.service.ts";
import { aBuilding, acting, aFlat, aVillage } from "../domains/listing/village/village.sample.ts";
import type { Call } from "../platform/kernel/call.ts";
import { endAfter } from "../domains/contract/schedule/months.rules.ts";
import { openHouse } from "../platform/server/house.ts";
import type { Person, TestHouse } from "../platform/server/house.sample.ts";
import { hashOf, newToken } from "../platform/server/session.ts";
import { readSettings } from "../platform/server/settings.ts";

export type SigningMeasure = {
  contracts: number;
  bills: number;
  /** Signed in bulk, committed in batches: bills, lines, leases, journal and timelines. */
  billsPerSecond: number;
  /** Milliseconds of one signature over HTTP, everything committed to disk. */
  sign: { median: number; p95: number; worst: number };
};

/** A server with a database of its own on disk, as it would run in a store. */
async function aHouse(dir: string) {
  const settings = readSettings({ DATA_DIR: dir, LOG_LEVEL: "silent", RATE_LIMIT: "1000000", MODE: "demo" });
  const house = await openHouse(settings, { work: false });
  const { db } = house.database;
  const values = { name: "青禾公寓管理有限公司" };
  const { id: enterpriseId } = await db
    .insertInto("enterprise")
    .values(values)
    .returning("id")
    .executeTakeFirstOrThrow();
  const person = async (
    who: { permits?: string[]; villages?: number[]; name?: string } = {},
  ): Promise<Person> => {
    const tag = randomUUID().slice(0, 12);
    const { id: operatorId } = await db
      .insertInto("operator")
      .values({
        enterpriseId,
        account: tag,
        realName: who.name ?? "周敏",
        phone: tag,
        superType: "1",
        villageIds: who.villages ?? [],
        passwordHash: "-",
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    const token = newToken();
    const expiresAt = new Date(Date.now() + 86_400_000);
    await db
      .insertInto("loginSession")
      .values({ operatorId, tokenHash: hashOf(token), expiresAt })
      .execute();
    return { operatorId, token };
  };
  return { ...house, enterpriseId, person } as unknown as TestHouse;
}

async function rooms(house: TestHouse, villageId: number, count: number): Promise<number[]> {
  const building = await aBuilding(house, villageId);
  const ids: number[] = [];
  for (let i = 0; i < count; i++) {
    const flat = await aFlat(house, building, {
      name: `${1000 + i}`,
      floor: 1 + (i % 18),
      listPrice: 200_000,
    });
    ids.push(flat.roomIds[0]!);
  }
  return ids;
}

/** Sends a call through the whole server and times it. */
async function timed(house: TestHouse, call: Call, as: Person, params: object, body: object) {
  const url = call.path.replace(/:(\w+)/g, (_, name: string) =>
    String((params as Record<string, unknown>)[name]),
  );
  const began = performance.now();
  const answer = await house.app.inject({
    method: call.method,
    url,
    headers: { authorization: as.token, "idempotency-key": randomUUID() },
    payload: body,
  });
  const millis = performance.now() - began;
  if (answer.statusCode !== 200) throw new Error(`${call.path}: ${answer.statusCode} ${answer.body}`);
  return { millis, data: answer.json<{ data: Record<string, unknown> }>().data };
}

export async function measureSigning(contracts = 2_000, single = 200, batch = 250): Promise<SigningMeasure> {
  const dir = mkdtempSync(path.join(os.tmpdir(), "sams-bench-"));
  const house = await aHouse(dir);
  try {
    const villageId = await aVillage(house);
    await seedSubjects({ tx: house.database.db }, house.enterpriseId);
    const clerk = await house.person({ permits: LEASING, villages: [villageId] });
    const partyId = await aRenter(house, villageId);
    const all = await rooms(house, villageId, contracts + single);
    const start = house.clock().toISOString().slice(0, 10);
    const many = all.slice(0, contracts).map((roomId): ManySigned => ({
      ...DEFAULT_TERMS,
      cycleMonths: 1,
      villageId,
      partyId,
      start,
      end: endAfter(start, 12),
      rooms: [{ roomId, monthlyRent: 250_000 }],
      remark: "",
      signedOn: start,
    }));
    // one batch only warms up
    await acting(house, (act) => signMany(act, many.splice(0, batch)), { operatorId: clerk.operatorId });
    let bills = 0;
    const began = performance.now();
    for (let i = 0; i < many.length; i += batch) {
      const done = await acting(house, (act) => signMany(act, many.slice(i, i + batch)), {
        operatorId: clerk.operatorId,
      });
      bills += done.bills;
    }
    const seconds = (performance.now() - began) / 1000;

    const times: number[] = [];
    for (const roomId of all.slice(contracts)) {
      const form = aForm({ villageId, roomId, partyId }, { start, rent: 250_000, cycleMonths: 1 });
      const { data: draft } = await timed(house, createContract, clerk, {}, form);
      const { data: preview } = await timed(house, previewContract, clerk, {}, { id: draft["id"] });
      const { previewHash } = preview;
      await timed(house, submitContract, clerk, draft, { previewHash });
      const body = { fileIds: [await aScan(house, clerk)], signedOn: start, previewHash };
      times.push((await timed(house, signOfflineContract, clerk, draft, body)).millis);
    }
    times.sort((a, b) => a - b);
    const at = (share: number) =>
      Math.round(times[Math.min(times.length - 1, Math.floor(times.length * share))]! * 10) / 10;
    return {
      contracts: many.length,
      bills,
      billsPerSecond: Math.round(bills / seconds),
      sign: { median: at(0.5), p95: at(0.95), worst: at(1) },
    };
  } finally {
    await house.close();
    rmSync(dir, { recursive: true, force: true });
  }
}

if (process.argv[1] === import.meta.filename)
  process.stdout.write(`${JSON.stringify(await measureSigning(), null, 1)}\n`);
