package dev.sluice.wire;

import dev.sluice.http.NameSet;
import dev.sluice.http.ResponseHead;
import java.util.List;

/**
 * An answer's head as it is to be written to a client. Immutable.
 *
 * @param drop fields of {@code head} that stay behind, {@link dev.sluice.http.FieldName#bit()}s
 * @param dropNames more of them, in lower case, that Connection named
 * @param internal names that are between us and the origin
 * @param added field lines in wire form, behind the others
 */
public record ResponseOut(
    ResponseHead head, long drop, List<String> dropNames, NameSet internal, byte[] added) {}
