/** How money went back to a sender: to the card, or to a bank account because the card did not take it. */
export const refundChannels = ['card', 'bank'] as const;

/** How far the newest refund of a transfer is. `failed`: it did not stay on the card, and the sender is owed the money. */
export const refundStates = ['under_way', 'done', 'failed'] as const;
