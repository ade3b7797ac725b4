import { Switch } from "antd";
import type { ReactNode } from "react";
import { contrast, DARK, ENOUGH, WHITE } from "../../kernel/texts/colour.ts";
import { useBrand } from "./brand.ts";
import { Button } from "../parts/button.tsx";
import { resetDisplay, setDisplay, useDisplay, type Display } from "./display.ts";
import { Drawer } from "../parts/drawer.tsx";
import { ChoiceInput } from "../inputs/inputs.tsx";
import { toast } from "../parts/toast.ts";
import { useWords, type Word } from "../shell/words.ts";
import "../shell/shell.css";

/** Eight to choose from; white or near-black can be read on each. */
const SWATCHES = ["#5587FF", "#1677C8", "#0E7C66", "#237032", "#C2410C", "#A8232B", "#6741D9", "#495057"];
const readable = (hex: string) => Math.max(contrast(hex, WHITE), contrast(hex, DARK)) >= ENOUGH;

const FLAGS = ["fixedHeader", "fixedSide", "hideHeader", "weak", "tabs"] as const;

/** 显示设置: each choice acts and is kept at once. */
export function DisplaySettings({ onClose }: { onClose: () => void }) {
  const display = useDisplay();
  const { themeColor } = useBrand();
  const word = useWords();
  const colour = display.colour ?? themeColor;
  const pick = (hex: string) => {
    if (!readable(hex)) return toast("该颜色上的文字不够清晰，请选择更深或更浅的颜色", "warning");
    setDisplay({ colour: hex });
  };
  const choice = <K extends "look" | "layout" | "width">(key: K, ...codes: (Display[K] & Word)[]) => (
    <Line label={word(key)}>
      <ChoiceInput
        value={display[key] as string}
        words={Object.fromEntries(codes.map((code) => [code, [word(code), "grey"]]))}
        onChange={(code) => setDisplay({ [key]: code })}
      />
    </Line>
  );
  return (
    <Drawer
      title={word("settings")}
      width={360}
      modal
      onClose={onClose}
      footer={<Button run={resetDisplay}>{word("reset")}</Button>}
    >
      <div className="ds">
        {choice("look", "light", "dark", "system")}
        <Line label={word("colour")}>
          <span className="ds__row row gap-3" role="radiogroup" aria-label={word("colour")}>
            {[themeColor, ...SWATCHES.filter((hex) => hex !== themeColor.toUpperCase())]
              .slice(0, 8)
              .map((hex) => (
                <button
                  key={hex}
                  type="button"
                  role="radio"
                  className="ds__swatch"
                  style={{ background: hex }}
                  aria-checked={hex.toUpperCase() === colour.toUpperCase()}
                  aria-label={hex === themeColor ? word("brandColour") : hex}
                  onClick={() => (hex === themeColor ? setDisplay({ colour: undefined }) : pick(hex))}
                />
              ))}
            <input
              type="color"
              aria-label={word("colour")}
              value={colour.toLowerCase()}
              onChange={(event) => pick(event.target.value.toUpperCase())}
            />
          </span>
        </Line>
        {choice("layout", "side", "top", "mixed")}
        {choice("width", "fluid", "fixed")}
        {FLAGS.map((key) => (
          <Line key={key} label={word(key)}>
            <Switch
              checked={display[key]}
              aria-label={word(key)}
              onChange={(on) => setDisplay({ [key]: on })}
            />
          </Line>
        ))}
        <Line label={word("language")}>
          <ChoiceInput
            value={display.language}
            words={{ "zh-CN": ["中文", "grey"], "en-US": ["English", "grey"] }}
            onChange={(code) => setDisplay({ language: code as Display["language"] })}
          />
        </Line>
      </div>
    </Drawer>
  );
}

const Line = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="ds__line row gap-6 between fs-13">
    <span>{label}</span>
    {children}
  </div>
);
