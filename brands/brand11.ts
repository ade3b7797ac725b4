import type { BrandFile } from "../platform/kernel/texts/brand.ts";

export const brand: BrandFile = {
  key: "brand11",
  productTitle: "青年社区",
  loginTitle: "青年社区运营平台",
  slogan: "住在一起，玩在一起",
  sloganNote: "房间、邻居、活动，都在这里。",
  logo: "brand11-logo.svg",
  favicon: "brand11-favicon.svg",
  background: "brand11-background.svg",
  footerText: "品牌十一",
  themeColor: "#9C36B5",
  mode: "dark",
  apiBase: "https://api.brand11.example",
};
