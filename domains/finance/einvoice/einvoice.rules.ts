import type { Day } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import { plainWords, type Words } from "../../../platform/kernel/field.ts";
import type { SubjectKind, Taxed, TaxMode } from "../subject/subject.rules.ts";

export const DRIVER = plainWords({ manual: "手工登记", simulator: "模拟", provider: "服务商" });
export type DriverKind = keyof typeof DRIVER;
export const INVOICE_KIND = plainWords({ special: "专票", general: "普票" });
export type InvoiceKind = keyof typeof INVOICE_KIND;
export const BASIS = plainWords({ paid: "已收", accrued: "已确认", either: "两者较大" });
export type Basis = keyof typeof BASIS;
export const AUTO = plainWords({ off: "不自动开票", onPaid: "收款后自动开票" });
export const NOTIFY = plainWords({ none: "不通知", sms: "短信", email: "邮件" });
export type Notify = keyof typeof NOTIFY;
export const CONF_STATE = { enabled: ["启用", "green"], disabled: ["停用", "grey"] } as const satisfies Words;

/** What the sample platform does on purpose, so that everything a real one does can be tried. */
export const BEHAVIOUR = plainWords({
  normal: "正常开具",
  delay: "延迟开具",
  refuse: "拒绝开具",
  timeout: "开具但不应答（超时）",
  twice: "重复回调",
});
export type Behaviour = keyof typeof BEHAVIOUR;

/** The one provider; its address unless somebody enters another one, such as that of its sandbox. */
export const NUONUO_ENDPOINT = "https://sdk.nuonuo.com/open/v1/services";

/** Sample invoices have no legal value, so production does not offer them. */
export const samplesOn = ({ MODE }: { MODE: string }): boolean => MODE === "demo";
export const SAMPLES_OFF = "模拟开票只能在演示环境使用，请选择其他开票方式";

export const ITEM_TAX = plainWords({
  rate: "税率",
  reduced15: "减按1.5%",
  exempt: "免税",
  none: "不开票",
});
export type ItemTax = keyof typeof ITEM_TAX;
export const ELEMENT = plainWords({ none: "无", lease: "不动产租赁（06）" });
export type Element = keyof typeof ELEMENT;

/** What a fee subject is on an invoice. */
export type Item = {
  taxMode: ItemTax;
  /** Decimal text: "0.09". */
  taxRate: string;
  itemCode: string;
  itemName: string;
  policy: string;
  element: Element;
};

const NEVER: readonly SubjectKind[] = ["deposit", "earnest", "agency", "cost"];
/** Money that is held or collected for others, and what we pay: no invoice is ever made of it. */
export const isNeverInvoiced = (kind: SubjectKind): boolean => NEVER.includes(kind);

const RATES: Record<Exclude<ItemTax, "none">, (rate: string) => Taxed> = {
  rate: (taxRate) => ({ taxMode: "rate", taxRate }),
  reduced15: () => ({ taxMode: "reduced15", taxRate: "0.015" }),
  exempt: () => ({ taxMode: "none", taxRate: "0" }),
};
/** The tax that a bill line is made with under an item; nothing where it says nothing of tax. */
export const taxedBy = (item: Pick<Item, "taxMode" | "taxRate">): Taxed | undefined =>
  item.taxMode === "none" ? undefined : RATES[item.taxMode](item.taxRate);

/** How the tax of a bill line is written on an invoice. */
export const onInvoice = (mode: TaxMode): Exclude<ItemTax, "none"> => (mode === "none" ? "exempt" : mode);

type Dated = { feeSubjectId: number; fromDay: Day };
/** Of the items of a subject, the one in force on a day. */
export const inForce = <I extends Dated>(
  items: readonly I[],
  feeSubjectId: number,
  day: Day,
): I | undefined =>
  items
    .filter((item) => item.feeSubjectId === feeSubjectId && item.fromDay <= day)
    .toSorted((a, b) => (a.fromDay < b.fromDay ? 1 : -1))[0];

// ---- requests to drivers and their answers --------------------------------------------------------------
export type OrderItem = {
  code: string;
  name: string;
  taxMode: Exclude<ItemTax, "none">;
  taxRate: string;
  policy: string;
  amount: Fen;
  tax: Fen;
  /** Which row of the blue invoice a row of a red letter takes back, from 1. */
  blueRow?: number;
};
export type Seller = {
  name: string;
  taxNo: string;
  address: string;
  phone: string;
  bank: string;
  account: string;
  drawer: string;
  payee: string;
  reviewer: string;
};
export type Lease = {
  address: string;
  start: Day;
  end: Day;
  crossCity: boolean;
  certificateNo: string;
  areaUnit: string;
};
export type RedReason = "01" | "02" | "03" | "04";
/** An invoice as it is asked for, under a number that stays the same however often it is asked. */
export type Order = {
  serialNo: string;
  kind: InvoiceKind;
  seller: Seller;
  buyer: { company: boolean; name: string; taxNo: string; addressPhone: string; bankAccount: string };
  amount: Fen;
  tax: Fen;
  items: readonly OrderItem[];
  lease: Lease | null;
  remark: string;
  at: string;
  /** Of a red letter. */
  red: { invoiceNo: string; issuedAt: string; reason: RedReason; whole: boolean } | null;
};

/** 01 to 09 as the tax authority numbers them. */
export type ConfirmState = "01" | "02" | "03" | "04" | "05" | "06" | "07" | "08" | "09";
export const CONFIRM_STATE = {
  "01": ["无需确认", "grey"],
  "02": ["待购方确认", "gold"],
  "03": ["待销方确认", "gold"],
  "04": ["双方已确认", "green"],
  "05": ["购方已否认", "red"],
  "06": ["销方已否认", "red"],
  "07": ["超72小时未确认", "red"],
  "08": ["发起方已撤销", "grey"],
  "09": ["确认后撤销", "grey"],
} as const satisfies Words<ConfirmState>;

export type Told = {
  serialNo: string;
  /** `open`: it is being made. */
  state: "open" | "issued" | "refused";
  invoiceNo: string;
  /** ISO instant; empty while nothing was issued. */
  issuedAt: string;
  /** Why it is refused. */
  reason: string;
  /** The driver's own number. */
  outsideNo: string;
  confirm?: { no: string; state: ConfirmState };
};
export type InvoiceFile = "pdf" | "ofd" | "xml";
export type FileBytes = { kind: InvoiceFile; type: string; bytes: Buffer };

/** Who a driver says the seller is, and what it allows. */
export type Taxpayer = {
  name: string;
  taxNo: string;
  creditLeft: Fen | null;
  certExpiresOn: Day | null;
};

/** A notification byte for byte, with its headers and what stands in the address that we gave. */
export type Notification = {
  body: string;
  header: (name: string) => string | undefined;
  query: { serial?: string | undefined; seal?: string | undefined };
};

/**
 * Where invoices are made. What it refuses for good is told as `refused`; a Refusal that it throws is of the configuration, and a
 * time-out is any other error: then nobody knows, and it is asked again under the same number.
 */
export type InvoiceDriver = {
  test: () => Promise<Taxpayer>;
  issue: (order: Order) => Promise<Told>;
  /** What became of an order; nothing where it was never heard of. */
  query: (serialNo: string, of: { red: boolean; outsideNo: string }) => Promise<Told | undefined>;
  files: (told: Told) => Promise<FileBytes[]>;
  /** About which order a notification is. It is only a hint: what became of the order is asked for. Throws a Refusal (401) where forged. */
  hear: (notification: Notification) => string;
};
