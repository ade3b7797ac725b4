import type { BrandFile } from "../platform/kernel/texts/brand.ts";

export const brand: BrandFile = {
  key: "brand06",
  productTitle: "安居公寓",
  loginTitle: "安居公寓管理平台",
  logo: "brand06-logo.svg",
  favicon: "brand06-favicon.svg",
  background: "brand06-background.svg",
  footerText: "品牌六",
  themeColor: "#6741D9",
  mode: "dark",
  apiBase: "https://api.brand06.example",
  passwordHashTimes: 2,
};
