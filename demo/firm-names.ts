/** Invented firms: none of them is known to any register. */
export type Made = { name: string; pinyin: string; contact: readonly [name: string, position: string] };

export const COMPANIES: readonly (Made & {
  industry: string;
  scale: string;
  address: string;
  creditDays: number;
  creditLimit: number | null;
  tags: string[];
})[] = [
  {
    name: "云岚软件有限公司",
    pinyin: "ylrjyxgs",
    contact: ["孙晓梅", "行政主管"],
    industry: "互联网",
    scale: "200至1000人",
    address: "滨江区江晖路 128 号 6 楼",
    creditDays: 15,
    creditLimit: 8_000_000,
    tags: ["优质客户"],
  },
  {
    name: "和信精密制造有限公司",
    pinyin: "hxjmzzyxgs",
    contact: ["马建国", "人事经理"],
    industry: "制造业",
    scale: "50至200人",
    address: "萧山区建设四路 66 号",
    creditDays: 0,
    creditLimit: 1_500_000,
    tags: [],
  },
  {
    name: "知行教育咨询有限公司",
    pinyin: "zxjyzxyxgs",
    contact: ["林静怡", "办公室主任"],
    industry: "教育",
    scale: "50人以下",
    address: "拱墅区丰潭路 18 号",
    creditDays: 7,
    creditLimit: null,
    tags: ["重点跟进"],
  },
];

export const MERCHANTS: readonly (Made & { brand: string; category: string })[] = [
  {
    name: "晨光早餐店",
    pinyin: "cgzcd",
    contact: ["陈师傅", "店主"],
    brand: "晨光",
    category: "餐饮",
  },
  {
    name: "邻里便利店",
    pinyin: "llbld",
    contact: ["吴海燕", "店长"],
    brand: "邻里",
    category: "便利店",
  },
  {
    name: "净而快洗衣服务部",
    pinyin: "jekxyfwb",
    contact: ["方志强", "店主"],
    brand: "净而快",
    category: "生活服务",
  },
  {
    name: "活力健身工作室",
    pinyin: "hljsgzs",
    contact: ["何旭", "负责人"],
    brand: "活力",
    category: "健身",
  },
];
