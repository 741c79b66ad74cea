/** An onramp session as Stripe's public preview shows it; the SDK has no type for it. */

export const ONRAMP_STATUSES = [
  'initialized',
  'requires_payment',
  'fulfillment_processing',
  'fulfillment_complete',
  'rejected',
] as const;
export type OnrampStatus = (typeof ONRAMP_STATUSES)[number];

export interface OnrampSession {
  id: string;
  object: 'crypto.onramp_session';
  client_secret: string;
  created: number;
  kyc_details_provided: boolean;
  livemode: false;
  metadata: Record<string, string>;
  redirect_url: string | null;
  status: OnrampStatus;
  transaction_details: {
    destination_amount: string | null;
    destination_currencies: string[] | null;
    destination_currency: string | null;
    destination_network: string | null;
    destination_networks: string[] | null;
    fees: { network_fee_amount: string; transaction_fee_amount: string } | null;
    lock_wallet_address: boolean;
    settlement_speed: string;
    source_amount: string | null;
    source_currency: string | null;
    transaction_id: string | null;
    wallet_address: string | null;
    wallet_addresses: Record<string, unknown> | null;
  };
}
