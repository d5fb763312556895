package dev.sluice;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Tells which public types have a reason to be: another package uses them, or they stand in the
 * signature of one that is used. Confined to the test's thread.
 */
final class PublicTypes {

  private final Set<JavaClass> all;
  private final Set<JavaClass> needed = new HashSet<>();

  private PublicTypes(Set<JavaClass> all) {
    this.all = all;
  }

  static PublicTypes of(JavaClasses classes) {
    var all = new HashSet<JavaClass>();
    classes.stream().filter(PublicTypes::isPublic).forEach(all::add);
    var types = new PublicTypes(all);
    types.markNeeded();
    return types;
  }

  /** The names of top-level types that could do without {@code public}. */
  List<String> needless() {
    return all.stream()
        .filter(type -> type.isTopLevelClass() && !isTheProgram(type))
        .filter(Predicate.not(needed::contains))
        .map(JavaClass::getName)
        .sorted()
        .toList();
  }

  private void markNeeded() {
    Deque<JavaClass> open = new ArrayDeque<>();
    all.stream().filter(type -> isTheProgram(type) || isUsedElsewhere(type)).forEach(open::add);
    while (!open.isEmpty()) {
      JavaClass type = open.remove();
      if (needed.add(type)) {
        seenThrough(type).filter(all::contains).forEach(open::add);
      }
    }
  }

  private static boolean isUsedElsewhere(JavaClass type) {
    return type.getDirectDependenciesToSelf().stream()
        .anyMatch(use -> !use.getOriginClass().getPackage().equals(type.getPackage()));
  }

  /** What a user of {@code type} meets: its enclosing type, what it extends, its public members. */
  private static Stream<JavaClass> seenThrough(JavaClass type) {
    Stream<JavaClass> members =
        type.getMembers().stream()
            .filter(member -> member.getModifiers().contains(JavaModifier.PUBLIC))
            .map(JavaMember::getAllInvolvedRawTypes)
            .flatMap(Set::stream)
            .map(JavaClass::getBaseComponentType);
    Stream<JavaClass> parents =
        Stream.concat(type.getEnclosingClass().stream(), type.getAllRawSuperclasses().stream());
    return Stream.of(members, parents, type.getAllRawInterfaces().stream()).flatMap(seen -> seen);
  }

  private static boolean isPublic(JavaClass type) {
    return type.getModifiers().contains(JavaModifier.PUBLIC);
  }

  private static boolean isTheProgram(JavaClass type) {
    return type.getPackageName().equals(Layout.ROOT);
  }
}
