import { Dropdown } from "antd";
import { Suspense, useState } from "react";
import { helpAddress, useBrand } from "../brand/brand.ts";
import { IconButton } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { DisplaySettings } from "../brand/display-settings.tsx";
import { greeting } from "./greeting.ts";
import { LOST } from "../session/guard.ts";
import { Icon, type IconName } from "../parts/icons.tsx";
import { findable } from "./jump.tsx";
import { askLeave } from "./log-out.ts";
import { LOST_TITLE } from "../screens/lost.tsx";
import { parentOf, screenAt, type House, type Panel } from "../screens/screen.ts";
import type { Operator } from "../session/session.ts";
import { Fence, panelOf } from "../screens/load.tsx";
import { Broken } from "../parts/states.tsx";
import { usePhone } from "../filter/stored-choice.ts";
import { useSlot } from "../screens/slots.ts";
import { setLook, useDark, useLook, type Look } from "../brand/theme.ts";
import { isWord, useWords } from "./words.ts";

type Props = {
  house: House;
  operator: Operator;
  path: string;
  folded: boolean;
  onFold: () => void;
  onDrawer: () => void;
  onJump: () => void;
};

const ICONS: Record<string, IconName> = {
  changePhone: "user",
  changePassword: "lock",
  secondFactor: "shield",
};

/** What the person does with their own account, as a dialog. */
function OwnDialog({ panel, onClose }: { panel: Panel; onClose: () => void }) {
  const View = panelOf(panel);
  return (
    <Fence
      broken={(error) => (
        <Dialog title={panel.title} onClose={onClose}>
          <Broken error={error} retry={() => location.reload()} />
        </Dialog>
      )}
    >
      <Suspense>
        <View id={0} onClose={onClose} />
      </Suspense>
    </Fence>
  );
}

const APPLE = /Mac|iPhone|iPad/.test(navigator.platform);

export function Header({ house, operator, path, folded, onFold, onDrawer, onJump }: Props) {
  const brand = useBrand();
  const help = helpAddress(brand, path);
  const dark = useDark();
  const chosen = useLook();
  const tools = useSlot("shell.header");
  const menu = parentOf(house, path);
  const title = screenAt(house, path)?.title ?? (path === LOST ? LOST_TITLE : "");
  const word = useWords();
  const [opened, setOpened] = useState<string>();
  const phone = usePhone();
  const hidden = {
    changePhone: !brand.showChangePhone,
    changePassword: !brand.showChangePassword,
    versions: !phone,
  };
  const own = useSlot("shell.me").filter((panel) => !hidden[panel.key as keyof typeof hidden]);
  const Opened = own.find((panel) => panel.key === opened);
  const flip = () => setLook(dark ? "light" : "dark");
  const avatarMenu = {
    items: [
      { key: "light", label: word("light"), icon: <Icon name="sun" size={14} /> },
      { key: "dark", label: word("dark"), icon: <Icon name="moon" size={14} /> },
      { key: "system", label: word("system"), icon: <Icon name="screen" size={14} /> },
      { type: "divider" as const },
      ...own.map(({ key, title: label }) => ({
        key,
        label: isWord(key) ? word(key) : label,
        icon: <Icon name={ICONS[key] ?? "user"} size={14} />,
      })),
      { key: "display", label: word("settings"), icon: <Icon name="screen" size={14} /> },
      { key: "leave", label: word("leave"), icon: <Icon name="exit" size={14} /> },
    ],
    selectedKeys: [chosen],
    onClick: ({ key }: { key: string }) => {
      if (key === "leave") void askLeave();
      else if (key === "display") setOpened(key);
      else if (own.some((panel) => panel.key === key)) setOpened(key);
      else setLook(key as Look);
    },
  };
  return (
    <header className="head">
      <span className="hide-s">
        <IconButton icon={folded ? "unfold" : "fold"} label={word(folded ? "unfold" : "fold")} run={onFold} />
      </span>
      <button type="button" className="ib only-s" aria-label={word("openMenu")} onClick={onDrawer}>
        <Icon name="menu" />
      </button>
      <span className="head__title fs-13 sub">{brand.headerTitle}</span>
      <span className="vr hide-s" />
      <span className="crumb cut fs-13 dim">
        {menu && <span>{menu.title} / </span>}
        <h1>{title}</h1>
      </span>
      <span className="grow" />
      <button type="button" className="jump" onClick={onJump}>
        <Icon name="search" size={14} />
        <span className="grow cut">{findable(house)}</span>
        <kbd aria-hidden>{APPLE ? "⌘K" : "Ctrl K"}</kbd>
      </button>
      <button type="button" className="ib only-s" aria-label="搜索" onClick={onJump}>
        <Icon name="search" />
      </button>
      {tools.map((tool) => {
        const Tool = panelOf(tool);
        return (
          // a tool that does not come leaves its place empty and the work standing
          <Fence key={tool.key} broken={() => null}>
            <Suspense>
              <Tool id={0} />
            </Suspense>
          </Fence>
        );
      })}
      {help && (
        <a className="ib" href={help} target="_blank" rel="noreferrer" aria-label="使用手册" title="使用手册">
          <Icon name="help" />
        </a>
      )}
      <span className="hide-s">
        <IconButton icon={dark ? "sun" : "moon"} label={dark ? "切换到浅色" : "切换到深色"} run={flip} />
      </span>
      <Dropdown menu={avatarMenu} trigger={["click"]} placement="bottomRight">
        <button type="button" className="me row fs-13 sub">
          <span className="avatar" aria-hidden>
            {operator.name.slice(0, 1)}
          </span>
          <span className="hide-s">
            {greeting(new Date().getHours())}，<b>{operator.name}</b>
          </span>
          <Icon name="down" size={12} />
        </button>
      </Dropdown>
      {opened === "display" && <DisplaySettings onClose={() => setOpened(undefined)} />}
      {Opened && <OwnDialog panel={Opened} onClose={() => setOpened(undefined)} />}
    </header>
  );
}
