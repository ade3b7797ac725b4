import { randomUUID } from "node:crypto";
import { creditCheckCharacter } from "../../../platform/kernel/texts/certificate.ts";
import type { Person, TestHouse } from "../../../platform/server/process/house.sample.ts";
import { DOT } from "../seal/seal.sample.ts";
import * as calls from "./lessor.contract.ts";
import * as letter from "./letter.contract.ts";

/** What a clerk who sets lessors up may do. */
export const LESSOR_PERMITS = ["query", "get", "add", "edit", "delete", "enable", "disable"].map(
  (a) => `95.${a}`,
);

/** The way of a lessor from its registration to the signed letter, step by step, in a house whose clock stands on 12 March 2026. */
export function lessorWork(house: TestHouse, as: Person) {
  const { db } = house.database;
  async function picture(who: Person = as): Promise<number> {
    const { key, sha256, size } = await house.files.put(Buffer.concat([DOT, Buffer.from(randomUUID())]));
    const { id } = await db
      .insertInto("storedFile")
      .values({ name: "照.png", type: "image/png", size, sha256, storageKey: key, createdBy: who.operatorId })
      .returning("id")
      .executeTakeFirstOrThrow();
    return id;
  }
  const input = async (more: object = {}) => ({
    name: "青禾公寓管理有限公司",
    creditCode: "91330100MA00000017",
    kind: "company" as const,
    legalName: "林敏",
    legalCertType: "passport" as const,
    legalCertNo: "E12345678",
    legalPhone: "13800001111",
    licenceFileId: await picture(),
    legalFrontFileId: await picture(),
    legalBackFileId: await picture(),
    ...more,
  });
  let next = 0;
  const code = () => {
    const first17 = `91330100MA${String(1_000_000 + ++next)}`;
    return first17 + creditCheckCharacter(first17);
  };
  const added = async (more: object = {}) =>
    (await house.did(calls.addLessor, { as }, { body: await input({ creditCode: code(), ...more }) })).id;
  const smsCode = async () =>
    (
      (await db
        .selectFrom("outbox")
        .select("params")
        .where("template", "=", "code")
        .orderBy("id", "desc")
        .executeTakeFirstOrThrow()) as { params: { code: string } }
    ).params.code;
  const later = (minutes: number) =>
    house.setClock(
      new Date(Date.parse("2026-03-12T10:00:00+08:00") + (minutes + clock) * 60_000).toISOString(),
    );
  let clock = 0;
  /** Codes are sent once a minute to a number: each test has its own minutes. */
  const tick = (minutes = 2) => {
    clock += minutes;
    later(0);
  };
  const start = (id: number, key: string, query: object = {}) =>
    house.ask(calls.verifyLessor, { as, key }, { params: { id }, query: { start: "1", ...query } });
  const version = async (id: number) =>
    (await house.did(calls.getLessor, { as }, { params: { id } })).version;
  const rows = async () =>
    (
      await db
        .selectFrom("lessorRequest")
        .select((eb) => eb.fn.countAll<number>().as("n"))
        .executeTakeFirstOrThrow()
    ).n;

  async function verified(): Promise<number> {
    tick();
    const id = await added();
    await start(id, randomUUID());
    await house.did(calls.confirmVerify, { as }, { params: { id }, body: { captcha: await smsCode() } });
    return id;
  }
  const scope = { from: "2026-03-12", to: "2027-03-11", kinds: "renter,company" };
  const authorise = (id: number, query: object = scope) =>
    house.ask(
      calls.authoriseLessor,
      { as, key: randomUUID() },
      { params: { id }, query: { start: "1", ...query } as never },
    );
  const tokenOf = (link: string | undefined) => link!.slice(link!.lastIndexOf("/") + 1);

  async function signed(token: string, last4 = "5678") {
    const { documentHash } = await house.did(letter.openLetter, {}, { params: { token }, body: { last4 } });
    tick();
    await house.did(letter.sendLetterCode, {}, { params: { token }, body: { last4 } });
    const body = { last4, captcha: await smsCode(), documentHash };
    return house.ask(letter.signLetter, {}, { params: { token }, body });
  }
  return {
    picture,
    input,
    code,
    added,
    smsCode,
    tick,
    start,
    version,
    rows,
    verified,
    scope,
    authorise,
    tokenOf,
    signed,
  };
}
