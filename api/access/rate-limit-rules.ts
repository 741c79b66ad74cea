/** How many attempts are taken before the door stays shut for a while. */
export interface AttemptLimits {
  /** Failed sign-ins for one address in a quarter of an hour. */
  readonly perEmail: number;
  /** Failed sign-ins from one network address in a quarter of an hour; offices and phone networks share one. */
  readonly perIp: number;
  /** Accounts opened from one network address in an hour. */
  readonly signUpsPerIp: number;
  /** Recovery e-mails asked for one address in an hour. */
  readonly recoveriesPerEmail: number;
  /** Recovery e-mails asked from one network address in an hour, and links of them tried. */
  readonly recoveriesPerIp: number;
  /** Forced updates of prices by one person in a minute. */
  readonly rateUpdates: number;
}

export const defaultAttemptLimits: AttemptLimits = {
  perEmail: 10,
  perIp: 200,
  signUpsPerIp: 300,
  recoveriesPerEmail: 5,
  recoveriesPerIp: 100,
  rateUpdates: 1,
};
