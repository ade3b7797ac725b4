import { ACTIONS, type Action } from "../../../platform/kernel/call.ts";
import { PAGE_FUNCTIONS } from "./pages.rules.ts";

/** Fine operations: page code × 100 + two digits, unique over the product. Each stands below the page it is named after. */
export const AUTHORITIES: readonly (readonly [code: number, name: string])[] = [
  [601, "查看和设置底价"],
  [602, "变更有历史的出租方式"],
  [603, "撤销导入"],
  [901, "发起签署、确认线下签署"],
  [902, "作废合同"],
  [903, "变更条款"],
  [904, "低于底价签约"],
  [905, "未付首款办理入住"],
  [906, "黑名单客户签约"],
  [907, "倒签超过规定天数"],
  [1101, "发起签署、确认线下签署（企业）"],
  [1102, "作废合同（企业）"],
  [1103, "变更条款（企业）"],
  [1104, "低于底价签约（企业）"],
  [1105, "未付首款办理入住（企业）"],
  [1106, "黑名单客户签约（企业）"],
  [1107, "倒签超过规定天数（企业）"],
  [1108, "加房、退房（企业合同）"],
  [1301, "活动审批通过后修改名额"],
  [1501, "分配和领取他人客源"],
  [1502, "查看范围内全部客源"],
  [1503, "没收定金"],
  [1601, "查看租客完整信息"],
  [1602, "合并租客"],
  [1603, "匿名化租客"],
  [1801, "超过500人的推送"],
  [2501, "处理对账差异"],
  [2601, "减免调整账单"],
  [2602, "作废账单"],
  [2603, "核销账单"],
  [2604, "减免滞纳金"],
  [2605, "导入账单"],
  [2801, "开票"],
  [2802, "红冲"],
  [2803, "登记外部发票"],
  [3001, "远程开门"],
  [3002, "阀门与通断电"],
  [3003, "门禁授权下发与冻结"],
  [3101, "修改抄表"],
  [3102, "费率与公摊规则"],
  [3103, "生成水电账单"],
  [4901, "代转他人审批"],
  [5301, "活动收费与退款"],
  [5401, "维修费用确认"],
  [6501, "运行账务自检"],
  [7201, "受理退房申请"],
  [7202, "确认结算"],
  [7203, "修改或免除违约金"],
  [7204, "撤销结算"],
  [7301, "确认续租"],
  [9501, "管理印章"],
  [9502, "导入证书"],
  [9601, "确认换房"],
  [9602, "确认转租"],
  [9701, "标记无需认领"],
  [9702, "撤销认领"],
  [10101, "查看和设置渠道密钥"],
  [10201, "确认到账"],
  [10202, "冲销流水"],
  [10203, "分配与撤销分配"],
  [10601, "查看商户完整信息"],
  [10701, "发起签署、确认线下签署（商户）"],
  [10702, "作废合同（商户）"],
  [10703, "变更条款（商户）"],
  [10704, "低于底价签约（商户）"],
  [10705, "未付首款办理入住（商户）"],
  [10706, "黑名单客户签约（商户）"],
  [10707, "倒签超过规定天数（商户）"],
  [10711, "确认营业额"],
  [10712, "退回更正营业额"],
  [10801, "导入退款单"],
  [11201, "确认缴款到账"],
  [11202, "短款处理"],
  [11301, "查看企业完整信息"],
  [11302, "账期与额度"],
  [11501, "查看经纪人完整信息"],
  [11502, "佣金规则"],
  [11503, "手工扣回佣金"],
  [17001, "解除黑名单"],
  [20001, "导出凭证并锁账"],
  [20002, "再次导出、登记总账号"],
  [20003, "手工计提与税务申报"],
  [22601, "借出归档件"],
  [22602, "归还归档件"],
  [22603, "销毁归档件"],
  [23501, "看房预约分配"],
  [23601, "审核租赁申请"],
  [24401, "付款、确认退款"],
  [24402, "更换退款方式"],
  [25201, "结算第三方收入"],
  [25501, "导入、撤销历史数据"],
];

/** Labels of the nine actions (specification section 3). */
export const ACTION_WORDS: Record<Action, string> = {
  add: "新增",
  delete: "删除",
  edit: "编辑",
  query: "查询",
  get: "详情",
  enable: "启用",
  disable: "停用",
  import: "导入",
  export: "导出",
};

export type FunctionRow = {
  /** '22' a menu or page, '26.add' an action, '#2601' a fine operation */
  key: string;
  permissionId: number;
  level: 1 | 2 | 3;
  parentKey: string | null;
  name: string;
  path: string | null;
  action: Action | null;
  orderNum: number;
};

/** Every function of the product, parents before children. */
export function functionTable(): FunctionRow[] {
  const rows: FunctionRow[] = [];
  const row = (r: Omit<FunctionRow, "orderNum">) => rows.push({ ...r, orderNum: rows.length });
  for (const [code, parent, name, path] of PAGE_FUNCTIONS.toSorted(
    (a, b) => Number(a[1] > 0) - Number(b[1] > 0),
  )) {
    const key = String(code);
    row({
      key,
      permissionId: code,
      level: parent ? 2 : 1,
      parentKey: parent ? String(parent) : null,
      name,
      path,
      action: null,
    });
    if (parent || code === 1)
      for (const action of ACTIONS)
        row({
          key: `${code}.${action}`,
          permissionId: code,
          level: 3,
          parentKey: key,
          name: ACTION_WORDS[action],
          path: null,
          action,
        });
  }
  for (const [code, name] of AUTHORITIES) {
    const page = String(Math.floor(code / 100));
    const parentKey = rows.some((r) => r.key === page) ? page : null;
    row({ key: `#${code}`, permissionId: code, level: 3, parentKey, name, path: null, action: null });
  }
  return rows;
}

/** What a set of permits opens: menu codes, page codes, actions by page, and authority codes, as the console is told. */
export function opened(permits: ReadonlySet<string>) {
  const menus = new Set<number>();
  const pages = new Set<number>();
  const actions = new Map<number, Action[]>();
  const authorities: number[] = [];
  const parents = new Map(PAGE_FUNCTIONS.map(([code, parent]) => [code, parent]));
  for (const permit of permits) {
    if (permit.startsWith("#")) {
      authorities.push(Number(permit.slice(1)));
      continue;
    }
    const [page, action] = permit.split(".");
    const code = Number(page);
    if (!parents.has(code)) continue;
    if (action) actions.set(code, [...(actions.get(code) ?? []), action as Action]);
    const parent = parents.get(code)!;
    if (parent) {
      pages.add(code);
      menus.add(parent);
    } else {
      menus.add(code);
      if (code === 1) pages.add(1);
    }
  }
  return { menus: [...menus], pages: [...pages], actions, authorities };
}
