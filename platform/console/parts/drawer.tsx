import type { CSSProperties, ReactNode } from "react";
import { IconButton } from "./button.tsx";
import { Layer } from "./layer.tsx";

type Props = {
  title: ReactNode;
  /** Read out as its name; default the title when that is a text. */
  label?: string;
  /** 720 to 960 for a record, 480 to 720 for a form. */
  width?: number;
  /** Beside the work without a scrim (a record), or over it (a form). */
  modal?: boolean;
  /** Right in the bar: previous, next, open in a tab. */
  tools?: ReactNode;
  footer?: ReactNode;
  onClose: () => void;
  children: ReactNode;
};

export const Drawer = ({
  title,
  label,
  width = 720,
  modal = false,
  tools,
  footer,
  onClose,
  children,
}: Props) => (
  <Layer
    className="drawer"
    label={label ?? (typeof title === "string" ? title : "详情")}
    modal={modal}
    onClose={onClose}
  >
    <div className="drawer__in stack" style={{ "--w": `${width}px` } as CSSProperties}>
      <div className="drawer__bar row gap-2">
        <h2>{title}</h2>
        <span className="grow" />
        {tools}
        <IconButton icon="close" label="关闭" run={onClose} />
      </div>
      <div className="drawer__body scroll">{children}</div>
      {footer && <div className="drawer__foot row">{footer}</div>}
    </div>
  </Layer>
);
