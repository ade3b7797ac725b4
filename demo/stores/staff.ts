import { addDays } from "../../platform/kernel/day.ts";
import { functionTable } from "../../domains/access/function/function.rules.ts";
import { ENTERPRISE, type Company } from "../company.ts";
import { at } from "../numbers.ts";
import { demoHash, POSTS, ROLES } from "../people.ts";

/** Enterprise, departments, roles and people; answers the roles by name. The functions themselves are written by the server at its start. */
export async function makeStaff(
  co: Company,
  stores: readonly number[],
): Promise<ReadonlyMap<string, number>> {
  const { sink, ids, enterpriseId } = co;
  await sink.add("enterprise", { id: enterpriseId, name: ENTERPRISE, enabled: true });
  const head = ids("department");
  await sink.add("department", { id: head, enterpriseId, parentId: null, name: "总部", orderNum: 0 });
  const field = ids("department");
  await sink.add("department", { id: field, enterpriseId, parentId: null, name: "门店运营", orderNum: 1 });
  const finance = ids("department");
  await sink.add("department", { id: finance, enterpriseId, parentId: head, name: "财务部", orderNum: 1 });
  const known = new Set(functionTable().map((f) => f.key));
  const roleIds = new Map<string, number>();
  for (const [name, permits] of Object.entries(ROLES)) {
    const roleId = ids("role");
    roleIds.set(name, roleId);
    await sink.add("role", { id: roleId, enterpriseId, name });
    for (const key of new Set(permits)) if (known.has(key)) await sink.add("role_function", { roleId, key });
  }
  const passwordHash = await demoHash();
  for (const [i, post] of POSTS.entries()) {
    const id = i + 1;
    await sink.add("operator", {
      id,
      enterpriseId,
      account: post.account,
      realName: post.name,
      phone: `1380000${String(1000 + id)}`,
      superType: post.superType,
      state: "active",
      passwordHash,
      allVillages: post.villages === "all",
      villageIds: post.villages === "all" ? [] : post.villages.map((n) => stores[n]!),
      // those who sign contracts have shown who they are
      verified: ["店长", "租赁顾问"].includes(post.role),
    });
    const roleId = roleIds.get(post.role);
    if (roleId)
      await sink.add("operator_assignment", {
        operatorId: id,
        departmentId:
          post.role === "财务主管" || post.role === "出纳" ? finance : post.villages === "all" ? head : field,
        roleId,
      });
  }
  await makeApplicants(co, passwordHash);
  return roleIds;
}

/** Two companies that ask to be let in; one has been turned down, so its account is free again. */
async function makeApplicants({ sink, ids, today, enterpriseId }: Company, passwordHash: string) {
  for (const [i, { companyName, realName, account, refused, ago }] of APPLICANTS.entries()) {
    const id = i + 1;
    const day = addDays(today, -ago);
    const theirs = enterpriseId + id;
    const operatorId = refused ? null : POSTS.length + 1;
    await sink.add("enterprise", { id: theirs, name: companyName, enabled: false });
    await sink.add("department", {
      id: ids("department"),
      enterpriseId: theirs,
      parentId: null,
      name: "总部",
      orderNum: 0,
    });
    if (operatorId)
      await sink.add("operator", {
        id: operatorId,
        enterpriseId: theirs,
        account,
        realName,
        phone: "13900002001",
        superType: "1",
        state: "disabled",
        passwordHash,
        allVillages: false,
        villageIds: [],
        verified: false,
      });
    await sink.add("register_application", {
      id,
      number: `ZC${day.replaceAll("-", "")}-000001`,
      companyName,
      realName,
      account,
      phone: `1390000200${id}`,
      state: refused ? "refused" : "waiting",
      reason: refused ?? "",
      enterpriseId: theirs,
      operatorId,
      createdAt: at(day),
      decidedAt: refused ? at(addDays(day, 1)) : null,
      decidedBy: refused ? 1 : null,
    });
  }
}

const APPLICANTS = [
  {
    companyName: "云栖长租公寓管理有限公司",
    realName: "沈知行",
    account: "yunqi2026",
    refused: undefined,
    ago: 1,
  },
  {
    companyName: "城南青年社区运营有限公司",
    realName: "顾晓彤",
    account: "chengnan01",
    refused: "营业执照与企业名称不一致，请更正后重新申请",
    ago: 9,
  },
] as const;

const PURSES = [
  { name: "微信商户号", kind: "wechat", mchId: "1600000001", feeRate: "0.006" },
  { name: "支付宝商户号", kind: "alipay", mchId: "2088000000000001", feeRate: "0.006" },
  { name: "门店POS", kind: "pos", mchId: "898000000000001", feeRate: "0.005" },
  {
    name: "基本户",
    kind: "bank",
    bankName: "杭州滨江支行",
    accountName: ENTERPRISE,
    bankAccountNo: "33001600000000000001",
    feeRate: "0",
  },
  { name: "备用金", kind: "cash", feeRate: "0" },
  { name: "内置收银台", kind: "till", feeRate: "0" },
] as const;

/** Fee subjects, receiving accounts, and which store receives through which. */
export async function makeBooks(
  co: Company,
  stores: readonly number[],
  subjects: readonly object[],
): Promise<void> {
  const { sink, enterpriseId } = co;
  for (const subject of subjects) await sink.add("fee_subject", subject);
  for (const [i, purse] of PURSES.entries()) {
    const { name, kind, feeRate } = purse;
    await sink.add("merchant_account", {
      id: i + 1,
      enterpriseId,
      name,
      kind,
      mchId: "mchId" in purse ? purse.mchId : "",
      bankName: "bankName" in purse ? purse.bankName : "",
      bankAccountNo: "bankAccountNo" in purse ? purse.bankAccountNo : "",
      accountName: "accountName" in purse ? purse.accountName : "",
      feeRate,
    });
    for (const villageId of stores)
      await sink.add("village_account", {
        villageId,
        // customers pay at it by a code; people never book through it
        terminal: kind === "till" ? "h5" : "counter",
        payType: kind === "bank" ? "bankTransfer" : kind,
        merchantAccountId: i + 1,
      });
  }
}
