import type { Fen } from "../../../platform/kernel/fen.ts";
import { planBills } from "../schedule/bills.rules.ts";
import { rentsOver } from "../schedule/steps.rules.ts";
import type { Sample } from "../template/template.rules.ts";
import { DEFAULT_TERMS } from "../terms/plans.rules.ts";
import type { Terms } from "../terms/terms.contract.ts";
import { scheduleOf } from "../terms/terms.rules.ts";
import { USUAL_RULE } from "../terms/terms.contract.ts";
import type { Lessee, PaperFacts } from "./paper.rules.ts";

type Shape = { kind: PaperFacts["kind"]; rooms: number; rent: Fen; terms: Partial<Terms> };

const FEE = { feeId: 1, name: "物业费", kind: "recurring", amount: 15_000, prorate: true } as const;
const SHAPES: Record<Sample, Shape> = {
  renter: { kind: "renter", rooms: 1, rent: 350_000, terms: { fees: [FEE] } },
  company: {
    kind: "company",
    rooms: 30,
    rent: 280_000,
    terms: {
      stepRule: { every: 1, unit: "year", mode: "percentCompound", value: "5" },
      rentFree: [{ fromDate: "2026-01-01", toDate: "2026-01-15" }],
      policyNote: "入住名单变更后三日内报备。",
    },
  },
  merchant: {
    kind: "merchant",
    rooms: 1,
    rent: 1_200_000,
    terms: { turnover: USUAL_RULE, fees: [FEE], openOn: "2026-02-01" },
  },
};

const FIRM: Omit<Lessee, "name"> = {
  phone: "（样例电话）",
  certificate: "",
  guardian: "",
  creditCode: "（样例信用代码）",
  legalName: "（样例法定代表人）",
  contactName: "（样例联系人）",
  address: "（样例地址）",
  invoiceTitle: "（样例抬头）",
};
const PERSON: Omit<Lessee, "name"> = {
  ...FIRM,
  certificate: "身份证 ******************",
  creditCode: "",
  legalName: "",
  contactName: "",
  address: "",
  invoiceTitle: "",
};

/** A made-up contract that a template is shown and tried out with: two years from New Year 2026. */
export function specimen(sample: Sample): PaperFacts {
  const { kind, rooms, rent, terms: more } = SHAPES[sample];
  const terms: Terms = { ...DEFAULT_TERMS, ...more };
  const let_ = Array.from({ length: rooms }, (_, i) => ({
    roomId: i + 1,
    name: `样例 ${101 + i}`,
    monthlyRent: rent,
    unitPrice: null,
    area: "28.50",
  }));
  const span = { start: "2026-01-01", end: "2027-12-31" };
  const input = scheduleOf({ ...span, terms, rooms: let_ });
  return {
    ...span,
    contractNo: "HT（样例）",
    lessor: {
      name: "（样例企业）",
      creditCode: "（样例信用代码）",
      address: "（样例地址）",
      phone: "（样例电话）",
    },
    kind,
    lessee: {
      name: kind === "renter" ? "（样例租客）" : "（样例客户）",
      ...(kind === "renter" ? PERSON : FIRM),
    },
    village: "样例门店（样例地址）",
    store: "样例门店",
    storeAddress: "（样例地址）",
    rooms: let_,
    occupants: kind === "merchant" ? [] : [{ name: "（样例入住人）", phone: "", relation: "同住" }],
    rents: rentsOver(input),
    terms,
    plan: planBills(input),
    signedOn: null,
    state: "draft",
    today: span.start,
    previewHash: "0".repeat(64),
    previous: { contractNo: "HT（样例原合同）", start: "2025-01-01", end: "2025-12-31", rent },
  };
}
