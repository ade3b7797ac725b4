import { z } from "zod";
import * as f from "../../../platform/kernel/field.ts";
import { ROLES, type SignerRole } from "../config/sign.rules.ts";
import { contracts } from "../contract/contract.contract.ts";
import { PROVIDERS } from "../provider/provider.rules.ts";
import { ofAnyKind } from "../terms/kind.rules.ts";

/** Who signs a draft once it is handed in, and what may be chosen of its signing; by default the first of each. */
export const contractArrangement = contracts.get(
  "/:id/sign/arrangement",
  "签署安排",
  ofAnyKind("add", "edit"),
  {
    reply: z.object({
      provider: f.status("签署服务", PROVIDERS),
      linkHours: f.number("签署链接有效期", { unit: "小时" }),
      order: z.array(z.enum(Object.keys(ROLES) as [SignerRole, ...SignerRole[]])),
      /** Beside the enterprise. */
      signers: z.array(
        z.object({
          role: f.status("身份", ROLES),
          name: f.person("签署人"),
          phone: f.phone("手机号"),
          /** Why no link can be sent to it. */
          why: f.text("不能电子签署的原因"),
        }),
      ),
      seals: z.array(z.object({ id: f.id, name: f.text("印章"), lessorName: f.text("企业") })),
      /** Why none may be set. */
      noSeal: f.text("不可用原因"),
    }),
  },
);
