import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { AuditKind } from '#core/audit/kinds';
import type { AuditVerification } from '#core/contracts/http/audit';

/** What an entry of the audit log tells, in a few words. */
export const auditLabels: Readonly<Record<AuditKind, MessageDescriptor>> = {
  signed_in: msg`Entró`,
  sign_in_failed: msg`No pudo entrar`,
  password_reset: msg`Puso otra contraseña con un enlace`,
  password_changed: msg`Cambió su contraseña`,
  passkey_copied: msg`Rechazamos una llave de acceso que parece copiada`,
  email_proven: msg`Confirmó su correo`,
  second_factor_changed: msg`Cambió su verificación en dos pasos`,
  own_data_exported: msg`Descargó sus propios datos`,
  role_changed: msg`Cambió el rol de una persona`,
  account_block_changed: msg`Bloqueó o desbloqueó una cuenta`,
  account_noted: msg`Escribió una nota sobre una cuenta`,
  transfer_approved: msg`Aprobó un envío`,
  transfer_rejected: msg`Rechazó un envío`,
  review_claimed: msg`Tomó o dejó un envío para decidir`,
  screening_decided: msg`Decidió sobre un nombre en una lista`,
  sender_asked: msg`Preguntó al remitente`,
  payments_refreshed: msg`Volvió a consultar los pagos abiertos`,
  rate_proposed: msg`Pidió una tasa`,
  rate_confirmed: msg`Confirmó una tasa`,
  rate_declined: msg`Rechazó o canceló una tasa`,
  case_assigned: msg`Tomó o dejó un caso`,
  case_noted: msg`Escribió una nota en un caso`,
  case_acted: msg`Actuó en un caso`,
  desk_request_decided: msg`Decidió lo que pidió un colega en un caso`,
  complaint_assigned: msg`Tomó o dejó un reclamo`,
  complaint_noted: msg`Escribió una nota en un reclamo`,
  complaint_held: msg`Explicó la demora de un reclamo`,
  complaint_concluded: msg`Puso el resultado de un reclamo`,
  complaint_result_decided: msg`Decidió sobre el resultado de un reclamo`,
  complaint_corrected: msg`Repitió la corrección de un reclamo`,
  dispute_answered: msg`Respondió a un contracargo`,
  reconciliation_asked: msg`Pidió comparar los libros`,
  exception_explained: msg`Explicó una diferencia`,
  write_off_asked: msg`Pidió aceptar una diferencia`,
  source_asked: msg`Volvió a preguntar a la fuente`,
  book_request_decided: msg`Decidió sobre una diferencia o un cierre`,
  day_closing_asked: msg`Propuso cerrar un día`,
  statement_imported: msg`Importó un extracto del banco`,
  webhook_created: msg`Añadió una dirección de avisos`,
  webhook_changed: msg`Cambió una dirección de avisos`,
  webhook_secret_rotated: msg`Hizo un secreto nuevo de avisos`,
  webhook_resent: msg`Envió un aviso otra vez`,
  file_read: msg`Abrió un archivo`,
  list_exported: msg`Exportó una lista`,
  audit_verified: msg`Comprobó la cadena`,
  queue_board_used: msg`Actuó en el tablero de colas`,
  process_started: msg`Arrancó un proceso`,
};

/** What is wrong with the chain. */
export const auditProblems: Readonly<Record<NonNullable<AuditVerification['broken']>['problem'], MessageDescriptor>> = {
  changed: msg`La entrada o su enlace no son los que se escribieron.`,
  entry_missing: msg`Falta la entrada: alguien la borró.`,
  link_missing: msg`Falta un enlace de la cadena: alguien lo borró.`,
  unlinked: msg`La entrada no tiene enlace: se escribió fuera del producto.`,
  rewritten: msg`La cadena ya no tiene el final que se anotó.`,
};
