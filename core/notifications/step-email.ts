/** E-mails that a step of a transfer brings to its sender. A hold without a recipient brings `transfer_without_recipient` instead. */
export type StepEmail =
  | 'transfer_held'
  | 'transfer_approved'
  | 'transfer_cancel_requested'
  | 'transfer_paid'
  | 'transfer_received'
  | 'transfer_rejected'
  | 'transfer_cancelled'
  | 'transfer_ended'
  | 'transfer_refunded'
  | 'payout_delayed';
