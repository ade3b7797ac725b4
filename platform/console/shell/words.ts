import { displayNow, useDisplay, type Display } from "../brand/display.ts";

/** Labels of layout and settings, the part of the console that also speaks English (specification section 2). */
const WORDS = {
  settings: ["显示设置", "Display settings"],
  look: ["主题", "Theme"],
  light: ["浅色", "Light"],
  dark: ["深色", "Dark"],
  system: ["跟随系统", "System"],
  colour: ["主题色", "Primary colour"],
  brandColour: ["品牌色", "Brand"],
  layout: ["布局", "Layout"],
  side: ["侧边菜单", "Side"],
  top: ["顶部菜单", "Top"],
  mixed: ["混合菜单", "Mixed"],
  fixedHeader: ["固定页头", "Fixed header"],
  fixedSide: ["固定侧栏", "Fixed sidebar"],
  width: ["内容宽度", "Content width"],
  fluid: ["流式", "Fluid"],
  fixed: ["定宽", "Fixed"],
  hideHeader: ["下滑隐藏页头", "Hide header on scroll"],
  weak: ["色弱模式", "Weak-colour mode"],
  tabs: ["多标签", "Tab bar"],
  language: ["语言", "Language"],
  reset: ["恢复默认", "Reset"],
  leave: ["退出登录", "Log out"],
  changePhone: ["修改手机号", "Change mobile"],
  changePassword: ["修改密码", "Change password"],
  secondFactor: ["两步验证", "Two-step verification"],
  closeSelf: ["关闭当前", "Close"],
  closeRight: ["关闭右侧", "Close right"],
  closeLeft: ["关闭左侧", "Close left"],
  closeOthers: ["关闭其他", "Close others"],
  refresh: ["刷新", "Reload"],
  fold: ["收起菜单", "Collapse menu"],
  unfold: ["展开菜单", "Expand menu"],
  openMenu: ["打开菜单", "Open menu"],
  findMenu: ["搜索菜单", "Search menu"],
} as const;
export type Word = keyof typeof WORDS;

const in_ = (language: Display["language"]) => (word: Word) => WORDS[word][language === "en-US" ? 1 : 0];

export const isWord = (key: string): key is Word => Object.hasOwn(WORDS, key);

/** In a component: the words in the language that is chosen now. */
export const useWords = (): ((word: Word) => string) => in_(useDisplay().language);
export const say = (word: Word): string => in_(displayNow().language)(word);
