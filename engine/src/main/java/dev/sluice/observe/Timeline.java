package dev.sluice.observe;

import dev.sluice.outcome.BypassReason;
import dev.sluice.outcome.Cause;
import dev.sluice.outcome.Ending;
import dev.sluice.outcome.Protocol;
import dev.sluice.outcome.Reuse;
import dev.sluice.outcome.Spooling;
import dev.sluice.outcome.Stage;
import org.jspecify.annotations.Nullable;

/**
 * The facts of one exchange as they come up. Confined to the exchange's loop until it is recorded;
 * from then on the access log's writer has it and nobody writes to it.
 */
public final class Timeline {

  /** The longest path that is logged, and as much of a query is looked at for its names. */
  static final int MAX_TEXT = 2048;

  // One flat object on purpose, with more fields than a class should have: it is made for each
  // exchange, and each record inside it would be one more.
  private final long startNanos;
  private final int generation;
  private String method = "";
  private String path = "";
  private String query = "";
  private String client = "";
  private String scheme = "";
  private Protocol protocol = Protocol.HTTP_1_1;
  private String route = "-";
  private String routeClass = "-";
  private String requestClass = "-";
  private String tier = "-";
  private String upstream = "-";
  private int status;
  private Reuse reuse = Reuse.NONE;
  private @Nullable BypassReason bypassReason;
  private Spooling spool = Spooling.NONE;
  private boolean eligible;
  private boolean keptWhole;
  private boolean shed;
  private boolean heldPermit;
  private int attempts;
  private boolean reusedConnection;
  private boolean askedAdmission;
  private boolean decided;
  private boolean reachedOrigin;

  /** When admission was asked; once it has decided, how long that took. */
  private long queueNanos;

  private long originStartNanos;
  private long headNanos;
  private long originNanos;
  private long totalNanos;
  private long bytes;
  private long bytesReceived;
  private boolean tunnel;
  private long endedEpochMillis;
  private Ending ending = Ending.of(Stage.ACCEPT, Cause.COMPLETE);

  public Timeline(long startNanos, long generation) {
    this.startNanos = startNanos;
    this.generation = (int) generation;
  }

  /** What was asked; {@code query} is logged by its names only. */
  public void asks(String asked, String askedPath, String askedQuery) {
    method = asked;
    path = askedPath;
    query = askedQuery;
  }

  /** Who asked. */
  public void askedBy(String address, String withScheme, Protocol spoken) {
    client = address;
    scheme = withScheme;
    protocol = spoken;
  }

  public void classified(String routeId, String ofClass, String kind, String priority) {
    route = routeId;
    routeClass = ofClass;
    requestClass = kind;
    tier = priority;
  }

  /** Where the answer comes from, and why it is nobody else's or is not kept. */
  public void reuse(Reuse how, @Nullable BypassReason reason) {
    reuse = how;
    bypassReason = reason;
  }

  /** The answer was to be kept, and was not. */
  public void notKept(BypassReason reason) {
    bypassReason = reason;
  }

  /** It might be answered from another's answer, if there is one that may be shared. */
  public void mayShare() {
    eligible = true;
  }

  /** The body is kept, so that nobody paces the origin; {@code spools}: the route wants that. */
  public void kept(boolean spools) {
    keptWhole = true;
    spool = spools ? Spooling.COMPLETE : Spooling.NONE;
  }

  /** It was kept only so far, for {@code why}; from there its reader paces the origin. */
  public void slid(BypassReason why) {
    keptWhole = false;
    if (spool != Spooling.NONE) {
      spool = why == BypassReason.OVERSIZE ? Spooling.BODY_TOO_LARGE : Spooling.BUDGET_EXHAUSTED;
    }
  }

  /** Admission was asked at {@code now}. */
  public void admissionAsked(long now) {
    askedAdmission = true;
    queueNanos = now;
  }

  /** Admission said yes; {@code permit}: it is a render permit. */
  public void granted(long now, boolean permit) {
    decide(now);
    reachedOrigin = true;
    originStartNanos = now;
    heldPermit = permit;
  }

  /** Admission said no. */
  public void shed(long now) {
    decide(now);
    shed = true;
    reuse = Reuse.NONE;
  }

  private void decide(long now) {
    decided = true;
    queueNanos = askedAdmission ? now - queueNanos : 0;
  }

  public void upstream(String label) {
    upstream = label;
  }

  /** The head that the client gets came, with the last of so many attempts. */
  public void headCame(long now, int attemptCount) {
    headNanos = now - originStartNanos;
    attempts = attemptCount;
  }

  /** The origin's end was observed, {@code nanos} behind the grant. */
  public void originEnded(long nanos, int attemptCount, boolean reused) {
    originNanos = nanos;
    attempts = attemptCount;
    reusedConnection = reused;
  }

  public void status(int code) {
    status = code;
  }

  /** From here on it is a tunnel, whose length says nothing of the origin's pace. */
  public void tunnelled(int code) {
    status = code;
    tunnel = true;
  }

  /** So many bytes of a body, or of a tunnel, came from the client. */
  public void received(long count) {
    bytesReceived = count;
  }

  /** It is over; nothing changes after this. */
  public void ended(long now, long bodyBytes, Ending how) {
    totalNanos = now - startNanos;
    if (askedAdmission && !decided) {
      decide(now);
    }
    if (reachedOrigin && originNanos == 0) {
      originNanos = now - originStartNanos;
    }
    bytes = bodyBytes;
    ending = how;
  }

  /**
   * The log has it from here, and it may wait in its queue: what a client made long is cut first.
   */
  void handOver(long epochMillis) {
    endedEpochMillis = epochMillis;
    if (path.length() > MAX_TEXT) {
      path = path.substring(0, MAX_TEXT);
    }
    if (query.length() > MAX_TEXT) {
      query = query.substring(0, MAX_TEXT);
    }
  }

  /** When it ended, by the time of day; known once the log has it. */
  long endedEpochMillis() {
    return endedEpochMillis;
  }

  /** Whether it stood before admission, whatever came of it. */
  boolean askedAdmission() {
    return askedAdmission;
  }

  public long generation() {
    return generation;
  }

  public String method() {
    return method;
  }

  public String path() {
    return path;
  }

  /** The names of the query's parameters in their order, comma between; never a value. */
  public String queryNames() {
    return QueryNames.of(query);
  }

  public String client() {
    return client;
  }

  public String scheme() {
    return scheme;
  }

  /** What the client speaks. */
  Protocol protocol() {
    return protocol;
  }

  public String route() {
    return route;
  }

  public String routeClass() {
    return routeClass;
  }

  public String requestClass() {
    return requestClass;
  }

  public String tier() {
    return tier;
  }

  public String upstream() {
    return upstream;
  }

  public int status() {
    return status;
  }

  public boolean isShed() {
    return shed;
  }

  /** Whether the origin was asked. */
  public boolean reachedOrigin() {
    return reachedOrigin;
  }

  /** SPL-14 to SPL-16: whose end returned the permit, the origin's or the body's reader's. */
  public String permitReleased() {
    if (!heldPermit) {
      return "-";
    }
    return keptWhole ? "origin_end" : "body_end";
  }

  /** SPL-12, SPL-13: how far the body ran ahead of its reader. */
  public Spooling spool() {
    return spool;
  }

  /** Whether another's answer might have served. */
  boolean isEligible() {
    return eligible;
  }

  /** Where the answer came from. */
  public Reuse reuse() {
    return reuse;
  }

  /** The word why it was nobody else's or is not kept; {@code -} where there is none. */
  public String bypassReason() {
    return bypassReason == null ? "-" : bypassReason.code();
  }

  /** Why it was nobody else's or is not kept. */
  @Nullable BypassReason reason() {
    return bypassReason;
  }

  public int attempts() {
    return attempts;
  }

  public boolean isReusedConnection() {
    return reusedConnection;
  }

  public long queueNanos() {
    return queueNanos;
  }

  /** From the grant to the origin's head; 0 where none came. */
  public long headNanos() {
    return headNanos;
  }

  /** From the grant to the observed end of stream. */
  public long originNanos() {
    return originNanos;
  }

  public long totalNanos() {
    return totalNanos;
  }

  public long bytes() {
    return bytes;
  }

  /** Bytes of a body, or of a tunnel, that came from the client. */
  public long bytesReceived() {
    return bytesReceived;
  }

  /** Whether it became a tunnel. */
  boolean isTunnel() {
    return tunnel;
  }

  public Ending ending() {
    return ending;
  }
}
