import { sql } from "kysely";
import { notFound, Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { usesCaptcha } from "../../access/session/captcha.service.ts";
import { notTooOften, sendCode } from "../../access/sms/sms.service.ts";
import { layoutText, PRICE_UNITS, type PriceUnit } from "../../listing/room/words.rules.ts";
import type { ApplicationInput } from "./application.contract.ts";
import { createApplication } from "./application.service.ts";

/** The kind of code that proves the phone of an applicant. */
export const CODE_TYPE = 8;
const CAPTCHA = "图形验证码错误或已失效";

type Product = {
  id: number;
  name: string;
  bedrooms: number;
  halls: number;
  baths: number;
  listPrice: number | null;
  unit: PriceUnit;
};

/** A store that lets rooms, with the room types that it offers. */
export async function storeFor(read: Read, villageId: number) {
  const { rows: villages } = await sql<{
    village: string;
    address: string;
    phone: string;
    enterpriseId: number;
  }>`
    select name village, address, phone, enterprise_id "enterpriseId" from village
    where id = ${villageId} and state <> 'closed'`.execute(read.tx);
  const store = villages[0];
  if (!store) throw notFound();
  const { rows } = await sql<Product>`
    select d.id, d.name, d.bedrooms, d.halls, d.baths, d.price_unit unit, (
      select q.list_price from product_price q where q.product_id = d.id and q.effective_day <= ${read.today}::date
        and (q.village_id = ${villageId} or q.village_id is null)
      order by q.effective_day desc, q.village_id is null limit 1) "listPrice"
    from product d where d.enterprise_id = ${store.enterpriseId} and d.enabled
      and (cardinality(d.village_ids) = 0 or ${villageId} = any(d.village_ids))
    order by d.name collate "zh-x-icu", d.id`.execute(read.tx);
  const { enterpriseId: _, ...shown } = store;
  return {
    ...shown,
    products: rows.map(({ bedrooms, halls, baths, unit, ...product }) => ({
      ...product,
      layout: layoutText({ bedrooms, halls, baths }),
      unit: PRICE_UNITS[unit][0],
    })),
  };
}

/** A code to the phone of whoever applies, against the picture's code. */
export async function sendApplyCode(
  act: Act,
  { phone, imageCode, imageCodeKey }: { phone: string; imageCode: string; imageCodeKey: string },
): Promise<void> {
  if (!(await usesCaptcha(act, imageCodeKey, imageCode)))
    throw new Refusal("captchaWrong", CAPTCHA, 400, {
      fields: [{ field: "imageCode", msg: CAPTCHA }],
      keeps: true,
    });
  await notTooOften(act, phone);
  await sendCode(act, phone, CODE_TYPE, true);
}

type Applied = Omit<ApplicationInput, "villageId" | "roomIds" | "fileIds" | "certType" | "certNo">;
/** A stranger applies, who has proven their phone. */
export async function applyAsStranger(act: Act, villageId: number, applied: Applied) {
  const { applyNo } = await createApplication(act, { ...applied, villageId, roomIds: [] }, "h5");
  return { applyNo };
}
