import type { DocKind } from "./template.rules.ts";

const field = (name: string, anchor?: string) =>
  `<span data-field="${name}"${anchor ? ` data-anchor="${anchor}"` : ""}></span>`;
const cells = (...texts: string[]) => `<tr>${texts.map((text) => `<td>${text}</td>`).join("")}</tr>`;

const LESSEE: Record<DocKind, string> = {
  renterContract: cells("<b>承租人（乙方）</b>", field("客户名称"), "<b>证件</b>", field("客户证件")).concat(
    cells("<b>联系电话</b>", field("客户电话"), "<b>监护人</b>", field("监护人")),
  ),
  companyContract: firm(),
  merchantContract: firm(),
};

function firm(): string {
  return (
    cells("<b>承租人（乙方）</b>", field("客户名称"), "<b>统一社会信用代码</b>", field("客户信用代码")) +
    cells("<b>法定代表人</b>", field("法定代表人"), "<b>地址</b>", field("客户地址")) +
    cells("<b>联系人</b>", field("客户联系人"), "<b>联系电话</b>", field("客户电话"))
  );
}

const TITLE: Record<DocKind, string> = {
  renterContract: "房屋租赁合同",
  companyContract: "企业房屋租赁合同",
  merchantContract: "商铺租赁合同",
};

/** What a new template of a kind begins with: the built-in contract, sentence by sentence. */
export const defaultText = (kind: DocKind): string =>
  [
    `<h1>${TITLE[kind]}</h1>`,
    `<p>合同编号：${field("合同编号")}</p>`,
    `<table>${cells("<b>出租人（甲方）</b>", field("企业名称"), "<b>统一社会信用代码</b>", field("企业信用代码"))}`,
    `${cells("<b>地址</b>", field("企业地址"), "<b>联系电话</b>", field("企业电话"))}${LESSEE[kind]}</table>`,
    `<p>甲乙双方在平等、自愿的基础上，就房屋租赁事宜订立本合同。</p>`,
    `<h2>第一条 租赁房屋</h2><p>${field("租赁条款", "1")}</p>`,
    `<div data-if="多个房间"><div data-table="房间表"></div></div>`,
    `<h2>第二条 租赁期限</h2>`,
    `<p data-anchor="2.1">租赁期限自 ${field("起租日")} 起至 ${field("到期日")} 止，共 ${field("租期")}。</p>`,
    `<h2>第三条 租金及支付</h2><p>${field("租金条款", "3")}</p>`,
    `<h2>第四条 押金</h2><p>${field("押金条款", "4")}</p>`,
    `<h2>第五条 其他费用</h2><p>${field("费用条款", "5")}</p>`,
    `<h2>第六条 违约责任与退房</h2><p>${field("违约条款", "6")}</p>`,
    `<h2>第七条 其他</h2>`,
    `<p data-anchor="7.1">附件《账单明细》为本合同的组成部分，与正文具有同等效力。</p>`,
    `<p data-anchor="7.2">本合同一式两份，双方各执一份，自双方签字或盖章之日起生效。</p>`,
    `<div data-if="有补充约定"><p data-anchor="7.3">补充约定：${field("补充约定")}</p></div>`,
    `<p>${field("企业印章")}${field("客户签字")}${field("骑缝章")}</p>`,
    `<h2>附件 账单明细</h2><div data-table="账单表"></div>`,
    `<p>签约应收 ${field("签约应收")} 元，合同总额 ${field("合同总额")} 元，押金 ${field("押金")} 元。</p>`,
  ].join("");
