/**
 * Which parts of the component library's style sheet each of its components needs, by what the library calls them. The
 * build keeps these parts of the sheet and no other (vite.config.ts).
 */
export const LOOKS: Readonly<Record<string, readonly string[]>> = {
  AutoComplete: ["select", "input", "slide", "empty"],
  Checkbox: ["checkbox", "wave"],
  ConfigProvider: [],
  DatePicker: ["picker", "btn", "slide"],
  Dropdown: ["dropdown", "btn", "slide", "zoom", "move"],
  Input: ["input", "btn"],
  Popover: ["popover", "zoom"],
  Select: ["select", "slide", "empty"],
  Switch: ["switch", "wave"],
  Table: ["table", "checkbox", "radio", "dropdown", "spin", "empty", "fade", "motion"],
  Tooltip: ["tooltip", "zoom"],
};
