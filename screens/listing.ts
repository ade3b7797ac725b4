import { pageIn, type Screen } from "../platform/console/screens/screen.ts";

const room = pageIn("/configuration");
const customer = pageIn("/renter");

/** 房源管理 and 客户管理, whose pages share an address. */
export const listingScreens: Screen[] = [
  {
    ...room("/configuration/apartment", "房态图", [3], "房态 空置 看板"),
    load: () => import("../domains/listing/board/board.page.tsx"),
  },
  {
    ...room("/configuration/Product", "产品管理", [4], "户型 标价 定价 付款方式"),
    load: () => import("../domains/listing/product/products.page.tsx"),
  },
  {
    ...room("/configuration/village", "门店管理", [6]),
    load: () => import("../domains/listing/village/villages.page.tsx"),
  },
  {
    ...room("/configuration/ApartmentManage", "房源列表", [6]),
    load: () => import("../domains/listing/room-list/apartments.page.tsx"),
  },
  {
    ...room("/configuration/addPublicArea", "公共区域", [6], "大堂 走廊 洗衣房 资产"),
    load: () => import("../domains/listing/area-list/areas.page.tsx"),
  },
  {
    ...room("/configuration/importRooms", "批量导入房源", [6], "导入 模板 表格"),
    load: () => import("../domains/listing/import/imports.page.tsx"),
  },
  {
    ...room("/configuration/houseDic", "房源字典", [58], "朝向 装修 标签 字典"),
    load: () => import("../domains/system/dic/house.page.tsx"),
  },
  {
    ...room("/configuration/ApartmentSync", "房源同步", [67], "渠道 发布 上架 下架 咨询"),
    load: () => import("../domains/listing/sync/sync.page.tsx"),
  },
  {
    ...room("/configuration/BatchAdjustPrice", "批量调价", [6], "改价 涨价 降价 标价 底价"),
    load: () => import("../domains/listing/price-planning/changes.page.tsx"),
  },
  {
    ...customer("/configuration/RenterManage", "租客管理", [16], "客户 租户 同住人"),
    load: () => import("../domains/customer/customer-list/renters.page.tsx"),
  },
  {
    ...customer("/configuration/MerchantManage", "商户管理", [106], "商铺 业态 营业执照 品牌"),
    load: () => import("../domains/customer/customer-list/merchants.page.tsx"),
  },
  {
    ...customer("/configuration/CompanyManagement", "企业管理", [113], "企业客户 对账单 授信 账期 员工入住"),
    load: () => import("../domains/customer/customer-list/companies.page.tsx"),
  },
  {
    ...customer("/configuration/BookingManagement", "客源管理", [15], "客户 跟进 公海 漏斗 线索"),
    load: () => import("../domains/customer/booking/booking.page.tsx"),
  },
  {
    ...customer("/configuration/AgentManagement", "经纪人管理", [115], "中介 机构 佣金 提成 渠道"),
    load: () => import("../domains/customer/agent-list/agents.page.tsx"),
  },
  {
    ...customer("/configuration/MessageManagement", "信息推送", [18], "短信 通知 群发 催缴 邮件"),
    load: () => import("../domains/customer/send-log/messages.page.tsx"),
  },
];
