import { chineseYuan, type Fen, yuan } from "../../../platform/kernel/fen.ts";
import { timeInZone } from "../../../platform/kernel/day.ts";
import type { Paper } from "../../system/paper/block.rules.ts";
import { CONFIRM_STATE, type ConfirmState, type Order, type OrderItem } from "./einvoice.rules.ts";

export type Issued = {
  order: Order;
  invoiceNo: string;
  issuedAt: string;
  confirmState?: ConfirmState | null;
};

/** Written across every page: it is worth nothing. */
export const SAMPLE = "样票";
const NOTE = "样票：由内置模拟平台生成，不是税务机关开具的发票，不能报销和抵扣";

const nameOf = ({ kind, red }: Order) =>
  `电子发票（${kind === "special" ? "增值税专用发票" : "普通发票"}）${red ? "（红字）" : ""}`;
/** What the rate of a row says: 减按1.5%, 9%, 免税. */
const rateOf = ({ taxMode, taxRate }: OrderItem): string =>
  taxMode === "exempt"
    ? "免税"
    : `${taxMode === "reduced15" ? "减按" : ""}${Number((Number(taxRate) * 100).toPrecision(6))}%`;
const signed = ({ red }: Order) => (red ? -1 : 1);

/** The invoice as a paper. */
export function samplePaper({ order, invoiceNo, issuedAt }: Issued): Paper {
  const sign = signed(order);
  const fen = (amount: Fen) => yuan(sign * amount);
  const { seller, buyer, lease, red } = order;
  const at = timeInZone(issuedAt).slice(0, 16);
  return {
    mark: SAMPLE,
    head: NOTE,
    foot: [`发票号码 ${invoiceNo}`, NOTE],
    blocks: [
      { kind: "title", text: nameOf(order) },
      {
        kind: "pairs",
        pairs: [
          ["发票号码", invoiceNo],
          ["开票日期", at],
          ["购买方名称", buyer.name],
          ["购买方税号", buyer.taxNo || "—"],
          ["销售方名称", seller.name],
          ["销售方税号", seller.taxNo],
        ],
      },
      {
        kind: "table",
        columns: [
          { title: "项目名称", width: 190 },
          { title: "金额", width: 90, right: true },
          { title: "税率/征收率", width: 80, right: true },
          { title: "税额", width: 80, right: true },
        ],
        rows: order.items.map((item) => [
          item.name,
          fen(item.amount - item.tax),
          rateOf(item),
          item.taxMode === "exempt" ? "***" : fen(item.tax),
        ]),
        sums: ["合计", fen(order.amount - order.tax), "", fen(order.tax)],
      },
      {
        kind: "pairs",
        pairs: [
          ["价税合计（大写）", chineseYuan(sign * order.amount)],
          ["价税合计（小写）", `¥${fen(order.amount)}`],
          ...(lease
            ? ([
                ["不动产地址", lease.address],
                ["租赁期起止", `${lease.start} ~ ${lease.end}`],
                ["跨地（市）标志", lease.crossCity ? "是" : "否"],
                ["产权证书号", lease.certificateNo || "无"],
              ] as const)
            : []),
          ...(red ? ([["对应蓝字发票号码", red.invoiceNo]] as const) : []),
          ["开票人", seller.drawer],
        ],
      },
      { kind: "text", text: `备注：${order.remark || "—"}` },
      { kind: "note", text: NOTE },
    ],
  };
}

const ESCAPES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};
const escaped = (text: string): string =>
  // what XML cannot hold at all is left out
  [...text.replace(/[&<>"']/g, (c) => ESCAPES[c]!)].filter((c) => c >= " ").join("");
type Xml = string | readonly (readonly [name: string, value: Xml] | undefined)[];
const element = (name: string, value: Xml): string =>
  `<${name}>${typeof value === "string" ? escaped(value) : value.map((part) => (part ? element(...part) : "")).join("")}</${name}>`;

/** The invoice as data, in the elements of a fully digital invoice; what `sign` answers over them stands at the end. */
export function sampleXml(
  { order, invoiceNo, issuedAt, confirmState }: Issued,
  sign: (body: string) => { value: string; key: string },
): string {
  const k = signed(order);
  const fen = (amount: Fen) => yuan(k * amount, false);
  const { seller, buyer, lease, red } = order;
  const special = order.kind === "special";
  const at = timeInZone(issuedAt);
  const body =
    element("Header", [
      ["EIid", invoiceNo],
      ["EInvoiceTag", "SWEI9900"],
      ["Version", "0.31"],
      [
        "InherentLabel",
        [
          [
            "InIssuType",
            [
              ["LabelCode", red ? "N" : "Y"],
              ["LabelName", red ? "红字发票" : "蓝字发票"],
            ],
          ],
          [
            "EInvoiceType",
            [
              ["LabelCode", special ? "01" : "02"],
              ["LabelName", nameOf(order)],
            ],
          ],
          [
            "GeneralOrSpecialVAT",
            [
              ["LabelCode", special ? "01" : "02"],
              ["LabelName", special ? "专用发票" : "普通发票"],
            ],
          ],
          lease
            ? [
                "SpecialType",
                [
                  ["LabelCode", "06"],
                  ["LabelName", "不动产经营租赁服务"],
                ],
              ]
            : undefined,
        ],
      ],
      [
        "UndefinedLabel",
        [
          [
            "Label",
            [
              ["LabelType", SAMPLE],
              ["LabelName", NOTE],
            ],
          ],
        ],
      ],
    ]) +
    element("EInvoiceData", [
      [
        "SellerInformation",
        [
          ["SellerIdNum", seller.taxNo],
          ["SellerName", seller.name],
          ["SellerAddr", seller.address],
          ["SellerTelNum", seller.phone],
          ["SellerBankName", seller.bank],
          ["SellerBankAccNum", seller.account],
        ],
      ],
      [
        "BuyerInformation",
        [
          ["BuyerIdNum", buyer.taxNo],
          ["BuyerName", buyer.name],
          ["BuyerAddr", buyer.addressPhone],
          ["BuyerBankName", buyer.bankAccount],
        ],
      ],
      [
        "BasicInformation",
        [
          ["TotalAmWithoutTax", fen(order.amount - order.tax)],
          ["TotalTaxAm", fen(order.tax)],
          ["TotalTax-includedAmount", fen(order.amount)],
          ["TotalTax-includedAmountInChinese", chineseYuan(k * order.amount)],
          ["Drawer", seller.drawer],
          ["Payee", seller.payee],
          ["Checker", seller.reviewer],
          ["RequestTime", at],
        ],
      ],
      ...order.items.map(
        (item) =>
          [
            "IssuItemInformation",
            [
              ["ItemName", item.name],
              ["TaxClassificationCode", item.code],
              ["Amount", fen(item.amount - item.tax)],
              ["TaxRate", item.taxMode === "exempt" ? "免税" : item.taxRate],
              ["ComTaxAm", fen(item.tax)],
              ["TotaltaxIncludedAmount", fen(item.amount)],
              ["TaxPreferencePolicy", item.policy],
            ],
          ] as const,
      ),
      lease
        ? [
            "SpecificInformation",
            [
              [
                "RealEstateLease",
                [
                  ["RealEstateAddress", lease.address],
                  ["LeaseStartDate", lease.start],
                  ["LeaseEndDate", lease.end],
                  ["CrossCityFlag", lease.crossCity ? "Y" : "N"],
                  ["RealEstateCertificateNumber", lease.certificateNo],
                  ["AreaUnit", lease.areaUnit],
                ],
              ],
            ],
          ]
        : undefined,
      [
        "AdditionalInformation",
        [
          ["Remark", order.remark],
          ["Currency", "CNY"],
        ],
      ],
      red
        ? [
            "RedInformation",
            [
              ["OriginalInvoiceNumber", red.invoiceNo],
              ["Reason", red.reason],
              ["ConfirmState", confirmState ? `${confirmState} ${CONFIRM_STATE[confirmState][0]}` : ""],
            ],
          ]
        : undefined,
    ]) +
    element("TaxSupervisionInfo", [
      ["InvoiceNumber", invoiceNo],
      ["IssueTime", at],
      ["TaxBureauCode", "00000000000"],
      ["TaxBureauName", `内置模拟平台（${SAMPLE}）`],
    ]);
  const { value, key } = sign(body);
  const signature = element("TaxBureauSignature", [
    ["SignatureAlgorithm", "Ed25519"],
    ["SignatureFormat", "DETACHED"],
    ["SignatureTime", at],
    ["SignatureValue", value],
    ["KeyInfo", key],
  ]);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<EInvoice>${body}${signature}</EInvoice>\n`;
}
