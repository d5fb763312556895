package dev.sluice.governor;

import dev.sluice.flow.Body;
import dev.sluice.flow.Opening;
import dev.sluice.flow.ReadableBody;
import dev.sluice.governor.classify.Audience;
import dev.sluice.governor.classify.RequestClass;
import dev.sluice.governor.deliver.Delivery;
import dev.sluice.governor.deliver.StoredReply;
import dev.sluice.governor.deliver.SyntheticReply;
import dev.sluice.governor.reuse.cache.StoredResponse;
import dev.sluice.http.RequestHead;
import dev.sluice.http.ResponseHead;
import dev.sluice.observe.Timeline;
import dev.sluice.outcome.BypassReason;
import dev.sluice.outcome.Cause;
import dev.sluice.outcome.Reuse;
import dev.sluice.wire.ClientStream;
import dev.sluice.wire.ResponseOut;
import org.jspecify.annotations.Nullable;

/**
 * An exchange's one reply: a stored answer, the origin's as it comes, or one of ours, or a tunnel;
 * with what it holds until the exchange's end. Confined to the exchange's loop.
 */
final class ClientReply {

  private final FlightContext context;
  private final ClientStream stream;
  private final Timeline timeline;
  private @Nullable ReadableBody following;
  private @Nullable StoredResponse pinned;

  ClientReply(FlightContext context, ClientStream stream, Timeline timeline) {
    this.context = context;
    this.stream = stream;
    this.timeline = timeline;
  }

  // A stored answer.

  /** Replies to {@code request} with {@code entry}, which is pinned until the end. */
  void stored(RequestHead request, StoredResponse entry, Reuse how) {
    pinned = entry;
    timeline.reuse(how, null);
    long age = context.reuse().ageMillis(entry);
    timeline.status(delivery().serve(stream, request, entry, how, age));
  }

  // The origin's, under way.

  /** What this client asked for of an answer whose flight asked for all of it (DEC-34). */
  ResponseHead asAsked(RequestHead request, Landing.Answered answered) {
    ResponseHead head = answered.head();
    if (answered.reason() == null
        && StoredReply.ofUnderway(request, head, context.epochMillis())
            instanceof StoredReply.NotModified notModified) {
      return notModified.head();
    }
    return request.isHead() ? head.withoutBody() : head;
  }

  /** The bytes of {@code body} are this client's, until it has them or the end comes. */
  void follow(ReadableBody body) {
    following = body;
  }

  /** Nothing is followed any more: it is let go of where {@code unread}. */
  void unfollow(boolean unread) {
    if (unread && following != null) {
      following.desert();
    }
    following = null;
  }

  /** Until the first byte is there this client has had nothing. */
  void awaitOpening(ReadableBody body, Opening.Waiting waiting) {
    var opening = new Opening(body, waiting);
    following = opening;
    opening.await();
  }

  /** Replies with {@code head} and the bytes of {@code body}. */
  void underway(
      Landing.Answered answered,
      ResponseHead head,
      ReadableBody body,
      @Nullable BypassReason why,
      RequestClass requestClass) {
    timeline.status(head.status());
    ResponseOut out =
        requestClass == RequestClass.DRAFT
            ? delivery().ofDraft(head, why, timeline.attempts())
            : delivery().of(head, answered.how(), why, ageOf(answered), timeline.attempts());
    stream.respond(out, body);
  }

  /** Joins the client with the origin, who agreed to it; returns the client's bytes (PRX-15). */
  Body tunnel(Landing.Switched switched, @Nullable BypassReason why) {
    timeline.tunnelled(switched.head().status());
    ResponseOut head =
        delivery().of(switched.head(), Reuse.BYPASS, why, Delivery.AGE_UNTOLD, timeline.attempts());
    Body fromClient = stream.tunnel(head, switched.tunnel().fromOrigin());
    switched.tunnel().toOrigin(fromClient);
    return fromClient;
  }

  private static long ageOf(Landing.Answered answered) {
    return answered.how() == Reuse.COLLAPSED ? answered.ageMillis() : Delivery.AGE_UNTOLD;
  }

  // Ours.

  /** Says why there is nothing else. */
  void own(RequestHead request, Cause cause, Audience audience, long predictedWaitNanos) {
    synthetic(
        context
            .generation()
            .replies()
            .forCause(cause, audience, request.isHead(), predictedWaitNanos, timeline.attempts()));
  }

  /** The origin's status and nothing more (DEC-35). */
  void originStatus(RequestHead request, int status, Audience audience) {
    synthetic(context.generation().replies().forOriginStatus(status, audience, request.isHead()));
  }

  /** The proxy itself was asked what it can do. */
  void options() {
    synthetic(context.generation().replies().forOptions());
  }

  private void synthetic(SyntheticReply reply) {
    timeline.status(reply.status());
    stream.respond(reply.status(), reply.fields(), reply.body());
  }

  /** The exchange is over: what the reply held is let go. */
  void letGo() {
    unfollow(true);
    if (pinned != null) {
      pinned.body().unpin();
    }
  }

  private Delivery delivery() {
    return context.generation().delivery();
  }
}
