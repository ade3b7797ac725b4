import { crc32, deflateSync } from "node:zlib";
import { addDays, addMonths, type Day } from "../../platform/kernel/day.ts";
import { creditCheckCharacter, idCheckDigit } from "../../platform/kernel/texts/certificate.ts";
import { maskPhone } from "../../platform/kernel/texts/mask.ts";
import type { Act, Raw } from "../../platform/server/pipeline/act.ts";
import { actOf, type House } from "../../platform/server/pipeline/pipeline.ts";
import { whoActs } from "../../domains/access/operator/scope.service.ts";
import { signLetter, startAuthorise } from "../../domains/contract/lessor/authorise.service.ts";
import { lessorInput } from "../../domains/contract/lessor/lessor.contract.ts";
import { lessorSeen, openRequest } from "../../domains/contract/lessor/lessor.queries.ts";
import { addLessor } from "../../domains/contract/lessor/lessor.service.ts";
import { decideVerify, startVerify } from "../../domains/contract/lessor/verify.service.ts";
import { addSeal } from "../../domains/contract/seal/save.service.ts";
import { keepFile } from "../../domains/system/file/file.service.ts";

const keyed = (key: string): Raw => ({ header: () => key }) as unknown as Raw;

function chunk(type: string, body: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, "latin1"), body]);
  const [size, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  size.writeUInt32BE(body.length);
  check.writeUInt32BE(crc32(typed));
  return Buffer.concat([size, typed, check]);
}

/** A square picture of dots in one colour, each as dense as `alpha` says, 0 to 255. */
function drawn(size: number, colour: readonly number[], alpha: (x: number, y: number) => number): Buffer {
  const rows = Buffer.alloc((size * 4 + 1) * size);
  for (let y = 0; y < size; y++)
    for (let x = 0; x < size; x++) rows.set([...colour, alpha(x, y)], y * (size * 4 + 1) + 1 + x * 4);
  const head = Buffer.alloc(13);
  head.writeUInt32BE(size, 0);
  head.writeUInt32BE(size, 4);
  // 8 bits, red green blue alpha
  head.set([8, 6], 8);
  const signature = Buffer.from("89504e470d0a1a0a", "hex");
  return Buffer.concat([
    signature,
    chunk("IHDR", head),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

const SIZE = 160;
/** A round seal: a ring and a star, red on nothing. */
const sealPicture = () =>
  drawn(SIZE, [206, 32, 41], (x, y) => {
    const [dx, dy] = [x - SIZE / 2, y - SIZE / 2];
    const far = Math.hypot(dx, dy);
    if (far > 70 && far < 77) return 235;
    // a five-pointed star: its edge runs from a tip (30) to a notch (12) and back, five times round
    const turn = (Math.atan2(dx, -dy) / ((2 * Math.PI) / 5) + 5) % 1;
    const edge = 30 - 18 * (1 - Math.abs(2 * turn - 1));
    return far < edge ? 235 : 0;
  });
/** A sheet of paper, where a scan would lie. */
const paperPicture = () => drawn(SIZE, [236, 236, 232], () => 255);

const creditCodeOf = (first17: string) => first17 + creditCheckCharacter(first17);
const idOf = (first17: string) => first17 + idCheckDigit(first17);

/** A lessor that may sign, one that waits to be looked at and one that was just typed in; and the seal of the first. */
export async function makeLessors(house: House, today: Day): Promise<void> {
  const { db } = house.database;
  const admin = await db
    .selectFrom("operator")
    .select(["id", "enterpriseId"])
    .where("superType", "=", "1")
    .orderBy("id")
    .executeTakeFirst();
  const enterprise = await db
    .selectFrom("enterprise")
    .select(["id", "name"])
    .orderBy("id")
    .executeTakeFirst();
  if (!admin || !enterprise) return;
  const who = await whoActs(db, admin.id);
  const acting = <R>(work: (act: Act) => Promise<R>) =>
    db
      .transaction()
      .execute((tx) => work(actOf(house, tx, who, { requestId: "demo", ip: "", userAgent: "demo" })));
  const file = async (act: Act, name: string, bytes: Buffer) =>
    (await keepFile(act, { name, type: "image/png", bytes }, {})).id;
  const registered = (name: string, n: number, legalName: string) =>
    acting(async (act) =>
      addLessor(
        act,
        lessorInput.parse({
          name,
          creditCode: creditCodeOf(`91330106MA2KDEM0${n}`),
          kind: "company",
          address: "杭州市西湖区文一路",
          legalName,
          legalCertType: "idCard",
          legalCertNo: idOf(`3301061985030${n}452`),
          legalPhone: `1380000100${n}`,
          agentName: "周敏",
          agentPhone: "13800002001",
          licenceFileId: await file(act, "营业执照.png", paperPicture()),
          legalFrontFileId: await file(act, "身份证正面.png", paperPicture()),
          legalBackFileId: await file(act, "身份证反面.png", paperPicture()),
        }),
      ),
    );
  const first = await registered(enterprise.name, 1, "林敏");
  const second = await registered(`${enterprise.name.slice(0, 2)}商业管理有限公司`, 2, "陈立");
  await registered(`${enterprise.name.slice(0, 2)}公寓运营有限公司`, 3, "何静");
  for (const { id } of [first, second])
    await acting((act) => startVerify(act, id, "manual", keyed(`demo-verify-${id}`)));
  await acting(async (act) => {
    const { version } = await lessorSeen(act, first.id);
    await decideVerify(act, first.id, { pass: true, reason: "", version });
  });
  const to = addDays(addMonths(today, 12), -1);
  const scope = { from: today, to, kinds: ["renter", "company", "merchant"], villageIds: [], sealIds: [] };
  await acting(async (act) => {
    await startAuthorise(act, first.id, scope as never, keyed(`demo-letter-${first.id}`));
    const request = (await openRequest(act, first.id, "authorise"))!;
    const result = { resultHash: Buffer.from(`demo ${first.id}`), resultExpiresAt: act.now.toISOString() };
    await signLetter(act, await lessorSeen(act, first.id), request, result, maskPhone(request.phone));
  });
  const villages = await db
    .selectFrom("village")
    .select("id")
    .where("enterpriseId", "=", enterprise.id)
    .execute();
  await acting(async (act) =>
    addSeal(act, {
      lessorId: first.id,
      name: "租赁合同专用章",
      kind: "contract",
      imageFileId: await file(act, "合同专用章.png", sealPicture()),
      villageIds: villages.map(({ id }) => id),
      operatorIds: [admin.id],
      autoSeal: false,
    }),
  );
}
