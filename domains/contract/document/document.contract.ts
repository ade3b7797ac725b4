import { contracts } from "../contract/contract.contract.ts";
import { ofAnyKind } from "../terms/kind.rules.ts";

/** 催缴函 of a contract with late bills, as of today. */
export const dunningLetter = contracts.get("/:id/dunningLetter", "打印催缴函", ofAnyKind("get"), {
  target: "contract",
  timeout: 120_000,
  perMinute: 60,
});
