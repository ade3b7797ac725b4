import { greys } from "../../../platform/kernel/words.ts";

export const TITLE_KINDS = greys({ company: "单位", person: "个人" });
