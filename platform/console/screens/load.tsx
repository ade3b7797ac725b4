import { Component, lazy, type ComponentType, type ReactNode } from "react";
import type { Load, Panel, PanelProps, Screen } from "./screen.ts";

/** A page chunk that has not come after 120 s is a failure (specification section 8). */
const CHUNK_MS = 120_000;

export const timed =
  <T,>(load: () => Promise<T>) =>
  (): Promise<T> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new ChunkLost()), CHUNK_MS);
      load()
        .then(resolve, () => reject(new ChunkLost()))
        .finally(() => clearTimeout(timer));
    });

export class ChunkLost extends Error {
  constructor() {
    super("页面资源加载失败，可能是网络中断或系统刚刚更新");
  }
}

/** A part of a page that is fetched when it is first shown; drawn inside `Arriving`. */
export const lazily: typeof lazy = (load) => lazy(timed(load));

const pages = new WeakMap<Load, ComponentType>();
const here = new WeakMap<Load, ComponentType>();

/** Fetches a page's chunk before it is asked for: with the shell, or while the pointer rests on its link. */
export function preload(screen: Screen | undefined): void {
  if (!screen || pages.has(screen.load) || here.has(screen.load)) return;
  screen.load().then(
    (module) => here.set(screen.load, module.default),
    // opening the page shows why
    () => undefined,
  );
}

/**
 * The component of a screen: at once when its chunk is here already, else loaded lazily. The same one every time, so
 * that its state survives.
 */
export function pageOf(screen: Screen): ComponentType {
  let page = pages.get(screen.load);
  if (!page) {
    page = here.get(screen.load) ?? lazy(timed(screen.load));
    pages.set(screen.load, page);
  }
  return page;
}

const panels = new WeakMap<Panel["load"], ComponentType<PanelProps>>();

export function panelOf(panel: Panel): ComponentType<PanelProps> {
  let view = panels.get(panel.load);
  if (!view) {
    view = lazy(timed(panel.load));
    panels.set(panel.load, view);
  }
  return view;
}

/** Keeps a broken page from taking the shell with it. */
export class Fence extends Component<{ children: ReactNode; broken: (error: Error) => ReactNode }> {
  override state: { error?: Error } = {};
  static getDerivedStateFromError(error: Error) {
    return { error };
  }
  override render() {
    return this.state.error ? this.props.broken(this.state.error) : this.props.children;
  }
}
