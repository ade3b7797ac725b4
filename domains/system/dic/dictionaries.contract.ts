import { dicCalls } from "./dic.contract.ts";

/** 房源字典 (58): the words of listing forms, imports, publishing and the board. */
export const houseDic = dicCalls("house", 58, "房源字典");
/** 设施字典 (124), a tab of 配置中心. */
export const facilityDic = dicCalls("facility", 124, "设施字典");
/** 客户字典 (111), a tab of 配置中心: the words of leads, customers, complaints and repairs. */
export const customerDic = dicCalls("customer", 111, "客户字典");
