const running: { n: number }[] = [];

/** Numbers for what samples make, from 1 in every test file, although files share the modules of their process. */
export function counter(): () => number {
  const own = { n: 0 };
  running.push(own);
  return () => ++own.n;
}

export const startAnew = (): void => running.forEach((own) => (own.n = 0));
