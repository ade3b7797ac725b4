/** Banks give out digits alone. */
export const NUMBER = /^\d{6,30}$/;
