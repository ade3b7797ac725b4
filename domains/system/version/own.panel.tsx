import type { PanelProps } from "../../../platform/console/screens/screen.ts";
import { NotesDrawer } from "./notes.panel.tsx";

/** 版本说明 from the menu of the avatar, on a phone. */
export default ({ onClose = () => undefined }: PanelProps) => <NotesDrawer onClose={onClose} />;
