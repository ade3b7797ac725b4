import { expect, test } from "vitest";
import { aForm, aRenter, aRoom } from "../contract/contract.sample.ts";
import { createContract } from "../drafting/draft.contract.ts";
import { identified } from "../esign/esign.sample.ts";
import { previewContract } from "../preview/preview.contract.ts";
import { submitContract } from "../signing/signing.contract.ts";
import { APP, notified } from "./esign-cn.sample.ts";
import { outsideHouse } from "./outside.sample.ts";

const { house, esign, shop, as, account, ...at } = await outsideHouse();

test("a contract is presented in the order and for the hours that were chosen on handing it in", async () => {
  expect((await at.write({ ...account, secret: APP.secret })).status).toBe(200);
  const partyId = await aRenter(house, shop.villageId);
  await identified(house, partyId);
  const form = aForm({ ...shop, partyId, roomId: await aRoom(house, shop.building, "W9") });
  const { id } = await house.did(createContract, { as }, { body: form });
  const { previewHash } = await house.did(previewContract, { as }, { body: { id } });
  const signOrder = ["enterprise" as const, "party" as const];
  await house.did(submitContract, { as }, { params: { id }, body: { previewHash, linkHours: 6, signOrder } });
  expect((await at.start(id)).deadline).toBe("2026-03-12T08:00:00.000Z");
  await house.deliver();
  const flow = esign.newest();
  expect(flow.sent["signers"]).toMatchObject([
    { signerType: 0, signConfig: { signOrder: 2 } },
    { signerType: 1, signConfig: { signOrder: 1 } },
  ]);
  at.sign(flow);
  await notified(house, esign.tells(flow));
  await house.deliver();
  expect((await at.contract(id)).state).toBe("effective");
});
