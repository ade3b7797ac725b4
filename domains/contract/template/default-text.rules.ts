import type { DocKind } from "./doc-kind.rules.ts";

const field = (name: string, anchor?: string) =>
  `<span data-field="${name}"${anchor ? ` data-anchor="${anchor}"` : ""}></span>`;
const cells = (...texts: string[]) => `<tr>${texts.map((text) => `<td>${text}</td>`).join("")}</tr>`;

type LeaseKind = "renterContract" | "companyContract" | "merchantContract" | "renewal";

const PERSON = cells("<b>承租人（乙方）</b>", field("客户名称"), "<b>证件</b>", field("客户证件")).concat(
  cells("<b>联系电话</b>", field("客户电话"), "<b>监护人</b>", field("监护人")),
);
const LESSOR =
  cells("<b>出租人（甲方）</b>", field("企业名称"), "<b>统一社会信用代码</b>", field("企业信用代码")) +
  cells("<b>地址</b>", field("企业地址"), "<b>联系电话</b>", field("企业电话"));
/** The parties of each contract; of a renewal, which is of any kind, as its tenant is. */
const PARTIES: Record<LeaseKind, string> = {
  renterContract: `<table>${LESSOR}${PERSON}</table>`,
  companyContract: `<table>${LESSOR}${firm()}</table>`,
  merchantContract: `<table>${LESSOR}${firm()}</table>`,
  renewal:
    `<div data-if="个人客户"><table>${LESSOR}${PERSON}</table></div>` +
    `<div data-if="企业客户"><table>${LESSOR}${firm()}</table></div>`,
};

function firm(): string {
  return (
    cells("<b>承租人（乙方）</b>", field("客户名称"), "<b>统一社会信用代码</b>", field("客户信用代码")) +
    cells("<b>法定代表人</b>", field("法定代表人"), "<b>地址</b>", field("客户地址")) +
    cells("<b>联系人</b>", field("客户联系人"), "<b>联系电话</b>", field("客户电话"))
  );
}

const TITLE: Record<LeaseKind, string> = {
  renterContract: "房屋租赁合同",
  companyContract: "企业房屋租赁合同",
  merchantContract: "商铺租赁合同",
  renewal: "房屋租赁续租合同",
};
const BEFORE =
  `<p>本合同为合同 ${field("原合同编号")} 的续租，原租期自 ${field("原起租日")} 至 ${field("原到期日")}，原月租金 ${field("原月租金")} 元。</p>` +
  `<div data-if="有转入押金"><p>原合同的押金 ${field("转入押金")} 元（大写：${field("转入押金大写")}）转为本合同的押金，不再另行收取。</p></div>`;

/** The built-in contract, sentence by sentence. */
const leaseText = (kind: LeaseKind): string =>
  [
    `<h1>${TITLE[kind]}</h1>`,
    `<p>合同编号：${field("合同编号")}</p>`,
    PARTIES[kind],
    `<p>甲乙双方在平等、自愿的基础上，就房屋租赁事宜订立本合同。</p>`,
    kind === "renewal" ? BEFORE : "",
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

const p = (text: string) => `<p>${text}</p>`;
const title = (text: string) => `<h1>${text}</h1>`;
const heading = (text: string) => `<h2>${text}</h2>`;
const table = (name: string) => `<div data-table="${name}"></div>`;
const when = (condition: string, html: string) => `<div data-if="${condition}">${html}</div>`;
/** Labels and what stands behind them, two beside each other. */
const pairs = (...all: readonly (readonly [label: string, value: string])[]) =>
  `<table>${all
    .flatMap((_, i) => (i % 2 ? [] : [all.slice(i, i + 2)]))
    .map((two) => cells(...two.flatMap(([label, value]) => [`<b>${label}</b>`, value])))
    .join("")}</table>`;
const words = (name: string) => `人民币 ${field(name)} 元（大写：${field(`${name}大写`)}）`;
const TERM = `${field("起租日")} 至 ${field("到期日")}`;
const SIGNS = p(field("企业印章") + field("客户签字"));
/** The clauses of one number, each a paragraph. */
const clauses = (name: string, anchor: string) => p(field(name, anchor));

const SUPPLEMENT = [
  title("租赁合同补充协议"),
  p(`协议编号：${field("协议编号")}（${field("变更类型")}）`),
  pairs(
    ["出租人（甲方）", field("企业名称")],
    ["承租人（乙方）", field("客户名称")],
    ["原合同编号", field("合同编号")],
    ["房间", field("房间")],
    ["原租期", TERM],
    ["生效日", field("生效日")],
  ),
  heading("第一条 变更内容"),
  clauses("变更条款", "1"),
  heading("第二条 账单变化"),
  table("账单变化表"),
  when("有多付", p(`乙方已付款项中多付的 ${field("多付抵付")} 元，抵付其后的账单。`)),
  when("有签后应付", p(`乙方应于本协议签署后支付甲方${words("签后应付")}。`)),
  when("有应退押金", p(`甲方应退还乙方押金${words("应退押金")}。`)),
  heading("第三条 其他"),
  p("本协议自双方签字之日起成立，与原合同不一致的以本协议为准；本协议未约定的，仍按原合同执行。"),
  SIGNS,
].join("");

const moved = (kind: "changeRoom" | "changeTenant") => {
  const room = kind === "changeRoom";
  return [
    title(room ? "换房补充协议" : "转租补充协议"),
    p(`协议编号：${field("协议编号")}`),
    pairs(
      ["出租人（甲方）", field("企业名称")],
      [room ? "承租人（乙方）" : "原承租人（乙方）", field("客户名称")],
      ...(room ? [] : ([["新承租人（丙方）", field("新客户名称")]] as const)),
      ["原合同编号", field("合同编号")],
      ["新合同编号", field("新合同编号")],
      [room ? "原房间" : "房间", field("房间")],
      ...(room ? ([["新房间", field("新房间")]] as const) : []),
      ["生效日", field("生效日")],
      ["新租期", `${field("生效日")} 至 ${field("新到期日")}`],
      ["月租金（元）", `${field("原月租金")} 变更为 ${field("新月租金")}`],
      ["原因", field("变更原因")],
    ),
    p(
      room
        ? `甲乙双方同意，乙方自 ${field("生效日")} 起由原房间换至新房间。原合同的租金和费用计至 ${field("原合同截止日")}，自 ${field("生效日")} 起按新合同计算。`
        : `三方同意，自 ${field("生效日")} 起由丙方承接乙方的租赁。原合同的租金和费用计至 ${field("原合同截止日")}，由乙方承担；自 ${field("生效日")} 起按新合同由丙方承担。`,
    ),
    heading("款项处理"),
    table("款项表"),
    p(field("收付条款")),
    when("有账单调整", heading("原合同账单调整") + table("账单调整表")),
    p("本协议是原合同和新合同的组成部分，未约定的事项按新合同执行。"),
    p(field("企业印章") + field("客户签字") + (room ? "" : field("新客户签字"))),
  ].join("");
};

const SETTLEMENT = [
  title("退房结算单"),
  p(`结算单号：${field("结算单号")}`),
  pairs(
    ["出租人（甲方）", field("企业名称")],
    ["承租人（乙方）", field("客户名称")],
    ["合同编号", field("合同编号")],
    ["房间", field("房间")],
    ["租期", TERM],
    ["退房日", `${field("退房日")}（${field("退房类型")}）`],
  ),
  heading("结算明细"),
  table("结算明细表"),
  p(field("结算结果")),
  p("乙方已交还房屋、钥匙和物品。双方除本结算单所列款项外，就本租赁合同再无其他争议。"),
  SIGNS,
].join("");

const HANDOVER = [
  title("房屋交接单"),
  p(`交接单号：${field("交接单号")}（${field("交接类型")}）`),
  pairs(
    ["出租人（甲方）", field("企业名称")],
    ["承租人（乙方）", field("客户名称")],
    ["合同编号", field("合同编号")],
    ["门店", field("门店")],
    ["房间", field("交接房间")],
    ["交接日", field("交接日")],
    ["钥匙（把）", field("钥匙数")],
    ["门卡（张）", field("门卡数")],
  ),
  when("有读数", heading("表计读数") + table("读数表")),
  when("有物品", heading("物品清单") + table("物品清单")),
  when("有备注", p(`备注：${field("备注")}`)),
  p("双方已当面核对以上读数、物品和钥匙，确认与房屋实际状况一致。损坏或缺失的，按上列赔偿价赔偿。"),
  p(`经办人：${field("经办人")}`),
  SIGNS,
].join("");

const RECEIPT = [
  title("收款收据"),
  p(`收据编号：${field("收据编号")}`),
  pairs(
    ["客户", field("客户名称")],
    ["付款人", field("付款人")],
    ["门店", field("门店")],
    ["房间", field("房间")],
    ["收款日期", field("收款日期")],
    ["收款方式", field("收款方式")],
  ),
  table("收款明细表"),
  p(`今收到${words("收款金额")}。`),
  when("有转入预存款", p(`其中 ${field("转入预存款")} 元转入预存款。`)),
  when("有备注", p(`备注：${field("备注")}`)),
  p(`经办人：${field("经办人")}`),
  p(field("企业印章") + field("客户签字")),
].join("");

const DUNNING = [
  title("催缴函"),
  p(`${field("客户名称")}：`),
  p(
    `您承租的 ${field("房间")}（合同编号 ${field("合同编号")}），截至 ${field("函件日期")} 有 ${field("欠费笔数")} 笔账单逾期未付，最早一笔应于 ${field("最早应收日")} 支付，已逾期 ${field("最长逾期天数")} 天。`,
  ),
  table("欠费表"),
  p(`逾期未付合计${words("欠费合计")}。`),
  when("有滞纳金", p(`按合同约定，至今产生滞纳金${words("滞纳金合计")}。`)),
  p(
    `请您在收到本函后尽快支付应付款${words("应付合计")}。逾期仍不支付的，我方将按合同约定追究违约责任。如已付款，请忽略本函。`,
  ),
  when("有付款账户", p(`付款账户：${field("付款账户")}。转账请备注合同编号。`)),
  p(`联系电话：${field("企业电话")}`),
  p(field("企业印章")),
].join("");

const SLIP = [
  title("档案借条"),
  pairs(
    ["档案号", field("档案号")],
    ["文件", field("文件")],
    ["合同号", field("合同编号")],
    ["客户", field("客户名称")],
    ["门店", field("门店")],
    ["库位", field("库位")],
    ["份数", `${field("份数")} 份`],
    ["借阅人", field("借阅人")],
    ["借出日", field("借出日")],
    ["应还日", field("应还日")],
  ),
  p(`用途：${field("用途")}`),
  p("借阅人应妥善保管档案，不得涂改、拆页或转借，按期归还；遗失或损坏的，应及时书面说明。"),
  p(field("借阅人签字") + field("经办人签字")),
].join("");

const TEXTS: Record<DocKind, string> = {
  renterContract: leaseText("renterContract"),
  companyContract: leaseText("companyContract"),
  merchantContract: leaseText("merchantContract"),
  renewal: leaseText("renewal"),
  supplement: SUPPLEMENT,
  changeRoom: moved("changeRoom"),
  changeTenant: moved("changeTenant"),
  settlementSheet: SETTLEMENT,
  handoverSheet: HANDOVER,
  receipt: RECEIPT,
  dunningLetter: DUNNING,
  lendSlip: SLIP,
};

/** The built-in words of a kind of document, which a new template of it begins with. */
export const defaultText = (kind: DocKind): string => TEXTS[kind];
