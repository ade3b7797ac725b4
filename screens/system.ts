import { pageIn, type Screen } from "../platform/console/screens/screen.ts";

const page = pageIn("/system");

/** 系统管理, and the message centre that is reached from the bell. */
export const systemScreens: Screen[] = [
  {
    ...page("/system/AuthorityManagement", "权限管理", [46], "员工 角色 部门 在线会话 注册申请"),
    load: () => import("../domains/access/staff/authority.page.tsx"),
  },
  {
    ...page("/system/AuditModule", "审批配置", [49], "审批 流程 节点"),
    load: () => import("../domains/approval/module/modules.page.tsx"),
  },
  {
    ...page("/system/OperationLog", "操作日志", [68]),
    load: () => import("../domains/system/log/operations.page.tsx"),
  },
  {
    ...page("/system/BusinessLog", "业务日志", [130]),
    load: () => import("../domains/system/log/businesses.page.tsx"),
  },
  {
    ...page("/system/PlatformConf", "平台配置", [94]),
    platform: true,
    load: () => import("../domains/system/config/platform.page.tsx"),
  },
  {
    ...page(
      "/system/ContractManagement",
      "合同配置",
      [95],
      "企业认证 印章 签署设置 用印记录 合同参数 默认条款 占房 押金上限",
    ),
    load: () => import("../domains/contract/config-form/contract-config.page.tsx"),
  },
  {
    ...page("/system/EinvoiceConf", "电子发票配置", [101], "发票 开票 税号 税收分类编码 科目映射"),
    load: () => import("../domains/finance/einvoice/einvoices.page.tsx"),
  },
  {
    path: "/system/EleContractConfigHelp",
    title: "电子合同配置帮助",
    codes: [95],
    kind: "hidden",
    words: "电子签署 证书 印章 帮助",
    load: () => import("../domains/contract/sign-help/sign-help.page.tsx"),
  },
  {
    path: "/system/CreateEnterprise",
    title: "新建企业",
    codes: [95],
    kind: "subpage",
    load: () => import("../domains/contract/lessor-form/create.page.tsx"),
  },
  {
    path: "/system/EnterpriseAuth",
    title: "企业认证",
    codes: [95],
    kind: "subpage",
    load: () => import("../domains/contract/lessor-form/auth.page.tsx"),
  },
  {
    ...page("/system/MenuManagePage", "菜单管理", [56], "功能 权限编码"),
    load: () => import("../domains/access/function/menus.page.tsx"),
  },
  {
    ...page(
      "/system/ConfigManagement",
      "配置中心",
      [109, 111, 117, 119, 123, 124, 125, 129, 138, 140, 141, 250, 251, 252, 253, 256],
      "收款账户 商户号 字典 设置",
    ),
    load: () => import("../domains/system/config/config.page.tsx"),
  },
  {
    ...page("/system/TemplateManage", "模板管理", [10], "合同模板 合同文本 条款 版本"),
    load: () => import("../domains/contract/template-list/templates.page.tsx"),
  },
  {
    ...page("/system/BigFileDownloadManage", "下载中心", [257]),
    load: () => import("../domains/system/download/downloads.page.tsx"),
  },
  {
    path: "/msgManage/manageHome",
    title: "消息中心",
    codes: [],
    kind: "hidden",
    words: "消息 通知 公告",
    load: () => import("../domains/system/inbox/messages.page.tsx"),
  },
];
