package dev.sluice.net.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads certificates and private keys out of PEM files (RFC 7468). Stateless. */
public final class PemFile {

  private static final long LARGEST = 1L << 20;
  private static final Pattern BLOCK =
      Pattern.compile(
          "-----BEGIN ([A-Z0-9 ]{1,64})-----\\s*([^-]*)-----END \\1-----", Pattern.DOTALL);

  private PemFile() {}

  /** One block: its label and its bytes. */
  record Block(String label, byte[] der) {}

  /** All certificates of {@code file} in their order, at least one. */
  public static List<X509Certificate> certificates(Path file) throws PemFault {
    List<X509Certificate> found = new ArrayList<>();
    for (Block block : blocks(file)) {
      if (block.label().equals("CERTIFICATE") || block.label().equals("TRUSTED CERTIFICATE")) {
        found.add(certificate(file, block, found.size() + 1));
      }
    }
    if (found.isEmpty()) {
      throw new PemFault(
          file + " has no certificate", "it should begin with -----BEGIN CERTIFICATE-----");
    }
    return found;
  }

  /** The private key of {@code file}. */
  public static PrivateKey key(Path file) throws PemFault {
    for (Block block : blocks(file)) {
      if (block.label().equals("ENCRYPTED PRIVATE KEY")) {
        throw new PemFault(
            "the key in " + file + " is encrypted",
            "take the password off: openssl pkey -in " + file + " -out plain.pem");
      }
      if (block.label().endsWith("PRIVATE KEY")) {
        return key(file, block);
      }
    }
    throw new PemFault(
        file + " has no private key", "it should begin with -----BEGIN PRIVATE KEY-----");
  }

  private static X509Certificate certificate(Path file, Block block, int number) throws PemFault {
    try {
      return (X509Certificate)
          CertificateFactory.getInstance("X.509")
              .generateCertificate(new ByteArrayInputStream(block.der()));
    } catch (CertificateException e) {
      throw new PemFault(
          "certificate " + number + " of " + file + " cannot be read: " + e.getMessage(),
          "see: openssl x509 -noout -text -in " + file);
    }
  }

  private static PrivateKey key(Path file, Block block) throws PemFault {
    try {
      return PrivateKeys.read(block.label(), block.der());
    } catch (GeneralSecurityException e) {
      throw new PemFault(
          "the key in " + file + " cannot be read: " + e.getMessage(),
          "RSA and EC keys serve; see: openssl pkey -noout -text -in " + file);
    }
  }

  static List<Block> blocks(Path file) throws PemFault {
    String text = new String(read(file), StandardCharsets.ISO_8859_1);
    List<Block> blocks = new ArrayList<>();
    Matcher matcher = BLOCK.matcher(text);
    while (matcher.find()) {
      try {
        String label = matcher.group(1);
        blocks.add(new Block(label, Base64.getMimeDecoder().decode(matcher.group(2))));
      } catch (IllegalArgumentException e) {
        throw new PemFault(file + " is damaged: a block is not base64", "");
      }
    }
    if (blocks.isEmpty()) {
      throw new PemFault(file + " is not a PEM file", "it has no line -----BEGIN ...-----");
    }
    return blocks;
  }

  private static byte[] read(Path file) throws PemFault {
    try {
      if (Files.isDirectory(file)) {
        throw new PemFault(file + " is a directory", "");
      }
      if (Files.size(file) > LARGEST) {
        throw new PemFault(file + " has more than 1MiB", "");
      }
      return Files.readAllBytes(file);
    } catch (PemFault fault) {
      throw fault;
    } catch (NoSuchFileException e) {
      throw new PemFault("there is no file " + file, "");
    } catch (AccessDeniedException e) {
      throw new PemFault(
          file + " may not be read: permission denied", "let the process's user read it");
    } catch (IOException e) {
      throw new PemFault(file + " cannot be read: " + e.getMessage(), "");
    }
  }
}
