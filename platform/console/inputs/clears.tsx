import { Icon } from "../parts/icons.tsx";

/** `allowClear` of a Select: the library's own button is named in English, whatever its locale. */
export const CLEARS = { label: "清除", clearIcon: <Icon name="close" size={12} /> };
