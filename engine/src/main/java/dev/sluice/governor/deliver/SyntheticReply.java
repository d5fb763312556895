package dev.sluice.governor.deliver;

import dev.sluice.http.FieldList;

/**
 * An answer that Sluice wrote itself, ready to be sent. Immutable by agreement: whoever sends the
 * body does not write to it, for it may be shared.
 *
 * @param status 200 to 599
 * @param fields complete but for what wire adds to every answer (Date, Connection)
 */
@SuppressWarnings("ArrayRecordComponent") // Replies are sent, never compared.
public record SyntheticReply(int status, FieldList fields, byte[] body) {}
