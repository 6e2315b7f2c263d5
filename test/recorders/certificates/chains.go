package main

import (
	"crypto"
	"crypto/dsa"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"fmt"
	"math/big"
	"time"
)

// A chain as a client sends it, its own certificate first, and the authorities that it is judged by.
type chainCase struct {
	name  string
	sent  []*pair
	roots []*pair
}

// Names of authorities are used once, so that those of all cases can be trusted together.
var authorities = 0

func authority(common string, extensions ...extension) spec {
	authorities++
	common = fmt.Sprintf("%s %d", common, authorities)
	if extensions == nil {
		extensions = []extension{basicConstraints(true, -1), keyUsage(0x04)}
	}
	return spec{subject: simpleName(cn(common)), extensions: extensions}
}

func client(extensions ...extension) spec {
	return spec{subject: simpleName(cn("mallory"), org("system:masters")), extensions: append([]extension{usages(clientAuth)}, extensions...)}
}

// leafOf: a root, certificates of authorities below it in order, and a leaf.
func leafOf(root spec, between []spec, leaf spec) ([]*pair, []*pair) {
	top := issue(nil, root)
	chain := []*pair{}
	last := top
	for _, one := range between {
		last = issue(last, one)
		chain = append([]*pair{last}, chain...)
	}
	return append([]*pair{issue(last, leaf)}, chain...), []*pair{top}
}

func rsaKey(size int) crypto.Signer { return must(rsa.GenerateKey(rand.Reader, size)) }

func chains() []chainCase {
	var all []chainCase
	add := func(name string, sent, roots []*pair) { all = append(all, chainCase{name, sent, roots}) }
	simple := func(name string, root, leaf spec) {
		sent, roots := leafOf(root, nil, leaf)
		add(name, sent, roots)
	}
	below := func(name string, leaf spec, between ...spec) {
		sent, roots := leafOf(authority("root"), between, leaf)
		add(name, sent, roots)
	}
	with := func(s spec, change func(*spec)) spec {
		change(&s)
		return s
	}
	ca := func(common string, extensions ...extension) spec {
		return authority(common, append([]extension{basicConstraints(true, -1), keyUsage(0x04)}, extensions...)...)
	}

	// Basic constraints and key usage.
	simple("a root and a leaf", authority("root"), client())
	below("an intermediate", client(), authority("one"))
	below("three intermediates", client(), authority("one"), authority("two"), authority("three"))
	below("an issuer that is no authority", client(), authority("one", usages(clientAuth)))
	below("an issuer whose basic constraints say no", client(), authority("one", basicConstraints(false, -1)))
	below("an issuer without basic constraints of version 2", client(), with(authority("one"), func(s *spec) { s.version, s.extensions = 2, nil }))
	below("an issuer of version 1", client(), with(authority("one"), func(s *spec) { s.version, s.extensions = 1, nil }))
	below("an issuer that signs no certificates", client(), authority("one", basicConstraints(true, -1), keyUsage(0x80)))
	below("an issuer whose key usage is empty", client(), authority("one", basicConstraints(true, -1), keyUsage(0)))
	below("a path length of 0 with one more authority", client(), authority("one", basicConstraints(true, 0), keyUsage(0x04)), authority("two"))
	below("a path length of 0 with no more", client(), authority("one", basicConstraints(true, 0), keyUsage(0x04)))
	below("a path length of 1 with two more", client(), authority("one", basicConstraints(true, 1), keyUsage(0x04)), authority("two"), authority("three"))
	below("a path length of 1 with one more", client(), authority("one", basicConstraints(true, 1), keyUsage(0x04)), authority("two"))
	below("a path length that is negative", client(), authority("one", ce(19, true, sequence(boolean(), integer(-1))), keyUsage(0x04)))
	below("a path length of nine bytes", client(), authority("one", ce(19, true, sequence(boolean(), element(2, unhex("7fffffffffffffffff")))), keyUsage(0x04)))
	simple("a root's path length of 0", authority("root", basicConstraints(true, 0), keyUsage(0x04)), client())
	{
		sent, roots := leafOf(authority("root", basicConstraints(true, 0), keyUsage(0x04)), []spec{authority("one")}, client())
		add("a root's path length of 0 with an intermediate", sent, roots)
	}
	simple("a root of version 1", with(authority("root"), func(s *spec) { s.version, s.extensions = 1, nil }), client())
	simple("a root of version 1 and a leaf of version 1", with(authority("root"), func(s *spec) { s.version, s.extensions = 1, nil }), with(client(), func(s *spec) { s.version, s.extensions = 1, nil }))
	simple("a root of version 3 without basic constraints", authority("root", keyUsage(0x04)), client())
	simple("a root that is no authority", authority("root", basicConstraints(false, -1)), client())
	{
		own := with(client(), func(s *spec) { s.subject = simpleName(cn("self")) })
		leaf := issue(nil, own)
		add("a leaf that is itself an authority's file", []*pair{leaf}, []*pair{leaf})
		own.subject = simpleName(cn("other self"))
		add("a leaf that signed itself", []*pair{issue(nil, own)}, []*pair{issue(nil, authority("root"))})
	}

	// Signatures and keys.
	simple("a signature that is broken", authority("root"), with(client(), func(s *spec) { s.broken = true }))
	small := rsaKey(2048)
	for _, one := range []struct {
		name string
		by   method
	}{
		{"MD5 with RSA", rsaBy(crypto.MD5, 4)}, {"SHA-1 with RSA", rsaBy(crypto.SHA1, 5)}, {"SHA-256 with RSA", rsaBy(crypto.SHA256, 11)},
		{"SHA-384 with RSA", rsaBy(crypto.SHA384, 12)}, {"SHA-512 with RSA", rsaBy(crypto.SHA512, 13)},
		{"RSA-PSS with SHA-256", pssBy(crypto.SHA256, 1, 32)}, {"RSA-PSS with SHA-512", pssBy(crypto.SHA512, 3, 64)},
		{"RSA-PSS with another mask", pssBy(crypto.SHA256, 3, 32)}, {"RSA-PSS with a short salt", pssBy(crypto.SHA256, 1, 20)},
	} {
		by := one.by
		simple("a leaf by "+one.name, with(authority("root"), func(s *spec) { s.key = small }), with(client(), func(s *spec) { s.by = &by }))
	}
	sha1 := rsaBy(crypto.SHA1, 5)
	{
		sent, roots := leafOf(with(authority("root"), func(s *spec) { s.key, s.by = small, &sha1 }), nil, client())
		add("a root that signed itself by SHA-1", sent, roots)
		sent, roots = leafOf(with(authority("root"), func(s *spec) { s.key = small }), []spec{with(authority("one"), func(s *spec) { s.by = &sha1 })}, client())
		add("an intermediate by SHA-1", sent, roots)
	}
	ecdsaSha1 := ecdsaBy(crypto.SHA1, 1)
	simple("a leaf by SHA-1 with ECDSA", authority("root"), with(client(), func(s *spec) { s.by = &ecdsaSha1 }))
	ecdsa512 := ecdsaBy(crypto.SHA512, 3, 4)
	simple("a leaf by SHA-512 with P-256", authority("root"), with(client(), func(s *spec) { s.by = &ecdsa512 }))
	rsaNamed := method{rsaBy(crypto.SHA256, 11).algorithm, ecdsaBy(crypto.SHA256, 3, 2).sign}
	simple("an algorithm of another kind of key", authority("root"), with(client(), func(s *spec) { s.by = &rsaNamed }))
	edWith := method{sequence(identifier(1, 3, 101, 112), []byte{5, 0}), byEd25519.sign}
	_, ed, _ := ed25519.GenerateKey(rand.Reader)
	simple("Ed25519", with(authority("root"), func(s *spec) { s.key = ed }), client())
	simple("Ed25519 with parameters", with(authority("root"), func(s *spec) { s.key = ed }), with(client(), func(s *spec) { s.by = &edWith }))
	for _, one := range []struct {
		name string
		key  crypto.Signer
	}{
		{"P-224", must(ecdsa.GenerateKey(elliptic.P224(), rand.Reader))}, {"P-384", must(ecdsa.GenerateKey(elliptic.P384(), rand.Reader))},
		{"P-521", must(ecdsa.GenerateKey(elliptic.P521(), rand.Reader))}, {"RSA of 1024 bits", rsaKey(1024)},
	} {
		key := one.key
		simple("a root of "+one.name, with(authority("root"), func(s *spec) { s.key = key }), client())
		if one.name != "P-224" {
			simple("a leaf of "+one.name, authority("root"), with(client(), func(s *spec) { s.key = key }))
		}
	}
	{
		weak := weakKey()
		simple("a root of RSA of 1016 bits", with(authority("root"), func(s *spec) { s.key = weak }), client())
	}
	{
		parameters := dsa.Parameters{}
		_ = dsa.GenerateParameters(&parameters, rand.Reader, dsa.L1024N160)
		info := sequence(sequence(identifier(1, 2, 840, 10040, 4, 1), sequence(big2(parameters.P), big2(parameters.Q), big2(parameters.G))), bits(integer(4)))
		below("an intermediate with a DSA key", client(), with(authority("one"), func(s *spec) { s.info = info }))
		unknown := sequence(sequence(identifier(1, 2, 3, 4)), bits([]byte{1, 2, 3}))
		below("an intermediate with a key that nobody knows", client(), with(authority("one"), func(s *spec) { s.info = unknown }))
		simple("a leaf with a key that nobody knows", authority("root"), with(client(), func(s *spec) { s.info = unknown }))
	}

	// Time.
	hour := time.Hour
	simple("a leaf that has ended", authority("root"), with(client(), func(s *spec) { s.to = longAgo.Add(hour) }))
	simple("a leaf whose time has not come", authority("root"), with(client(), func(s *spec) { s.from = farOff.Add(-hour) }))
	below("an intermediate that has ended", client(), with(authority("one"), func(s *spec) { s.to = longAgo.Add(hour) }))
	simple("a root that has ended", with(authority("root"), func(s *spec) { s.to = longAgo.Add(hour) }), client())
	for _, text := range []string{"200230000000Z", "200101240000Z", "200101000000+0000", "200101000000+0100", "2001010000Z"} {
		simple("a beginning of "+text, authority("root"), with(client(), func(s *spec) { s.validity = sequence(element(0x17, []byte(text)), moment(farOff)) }))
	}

	// Critical extensions.
	unknown := extension{[]int{1, 3, 6, 1, 4, 1, 99999, 7}, true, []byte{5, 0}}
	simple("an unknown critical extension in a leaf", authority("root"), client(unknown))
	below("an unknown critical extension in an intermediate", client(), ca("one", unknown))
	simple("an unknown critical extension in a root", ca("root", unknown), client())
	simple("an unknown extension that is not critical", authority("root"), client(extension{unknown.arcs, false, unknown.value}))
	simple("alternative names that are all of other kinds, critical", authority("root"), client(ce(17, true, sequence(directory(simpleName(cn("x")))))))
	simple("a critical subject key identifier", authority("root"), client(ce(14, true, element(4, []byte{1}))))
	simple("an extension twice", authority("root"), client(ce(14, false, element(4, []byte{1})), ce(14, false, element(4, []byte{1}))))
	simple("a negative serial number", authority("root"), with(client(), func(s *spec) { s.serial = integer(-5) }))
	simple("version 4", authority("root"), with(client(), func(s *spec) { s.version = 4 }))

	// Usages.
	simple("a leaf for servers", authority("root"), spec{subject: simpleName(cn("mallory")), extensions: []extension{usages(serverAuth)}})
	simple("a leaf for anything", authority("root"), spec{subject: simpleName(cn("mallory")), extensions: []extension{usages(anyUsage)}})
	simple("a leaf for nothing that is known", authority("root"), spec{subject: simpleName(cn("mallory")), extensions: []extension{usages(otherUsage)}})
	simple("a leaf without usages", authority("root"), spec{subject: simpleName(cn("mallory"))})
	below("an intermediate for servers", client(), ca("one", usages(serverAuth)))
	below("an intermediate for both", client(), ca("one", usages(serverAuth, clientAuth)))
	below("an intermediate for nothing that is known", client(), ca("one", usages(otherUsage)))
	simple("a root for servers", ca("root", usages(serverAuth)), client())

	// Names.
	dnsOnly := func(names ...string) [][]byte {
		var all [][]byte
		for _, one := range names {
			all = append(all, dns(one))
		}
		return all
	}
	named := func(label string, permitted, excluded [][]byte, names ...[]byte) {
		below(label, client(alternativeNames(names...)), ca("one", nameConstraints(permitted, excluded)))
	}
	below("names constrained and none there", client(), ca("one", nameConstraints(dnsOnly("a.example"), nil)))
	named("a permitted host", dnsOnly("a.example"), nil, dns("x.a.example"))
	named("the permitted domain itself", dnsOnly("a.example"), nil, dns("A.Example"))
	named("a host that is not permitted", dnsOnly("a.example"), nil, dns("b.example"))
	named("a host that ends like the permitted one", dnsOnly("a.example"), nil, dns("xa.example"))
	named("a constraint with a dot and its domain", dnsOnly(".a.example"), nil, dns("a.example"))
	named("a constraint with a dot and a host below", dnsOnly(".a.example"), nil, dns("x.a.example"))
	named("one host of two is not permitted", dnsOnly("a.example"), nil, dns("x.a.example"), dns("b.example"))
	named("an excluded host", nil, dnsOnly("a.example"), dns("x.a.example"))
	named("another host than the excluded one", nil, dnsOnly("a.example"), dns("b.example"))
	named("a wildcard over an excluded host", nil, dnsOnly("x.a.example"), dns("*.a.example"))
	named("a wildcard beside an excluded host", nil, dnsOnly("x.b.example"), dns("*.a.example"))
	named("everything is excluded", nil, dnsOnly(""), dns("x.example"))
	named("everything is permitted", dnsOnly(""), nil, dns("x.example"))
	named("permitted and excluded", dnsOnly("example"), dnsOnly("bad.example"), dns("x.bad.example"))
	named("hosts are constrained, an address is not", dnsOnly("a.example"), nil, ip(10, 0, 0, 1))
	ten := ip(10, 0, 0, 0, 255, 0, 0, 0)
	named("a permitted address", [][]byte{ten}, nil, ip(10, 1, 2, 3))
	named("an address that is not permitted", [][]byte{ten}, nil, ip(11, 1, 2, 3))
	named("an excluded address", nil, [][]byte{ten}, ip(10, 1, 2, 3))
	named("another address than the excluded ones", nil, [][]byte{ten}, ip(11, 1, 2, 3))
	named("an IPv4 address in IPv6", nil, [][]byte{ten}, ip(append(append(make([]byte, 10), 0xff, 0xff), 10, 1, 2, 3)...))
	named("an IPv6 address", [][]byte{ip(append(append(unhex("20010db8"), make([]byte, 12)...), append(unhex("ffffffff"), make([]byte, 12)...)...)...)}, nil, ip(append(unhex("20010db8"), make([]byte, 12)...)...))
	named("a mask with a hole", [][]byte{ip(10, 0, 0, 0, 255, 0, 255, 0)}, nil, ip(10, 1, 2, 3))
	named("a range of five bytes", [][]byte{ip(10, 0, 0, 0, 255)}, nil, ip(10, 1, 2, 3))
	named("a permitted mailbox", [][]byte{mail("joe@a.example")}, nil, mail("joe@A.example"))
	named("another mailbox", [][]byte{mail("joe@a.example")}, nil, mail("jim@a.example"))
	named("a mailbox in capitals", [][]byte{mail("joe@a.example")}, nil, mail("Joe@a.example"))
	named("mail of a domain", [][]byte{mail("a.example")}, nil, mail("jim@a.example"))
	named("mail of a domain below", [][]byte{mail("a.example")}, nil, mail("jim@x.a.example"))
	named("mail in quotes", [][]byte{mail("\"j m\"@a.example")}, nil, mail("\"j\\ m\"@a.example"))
	named("mail that is none", [][]byte{mail("a.example")}, nil, mail("a.example"))
	named("excluded mail", nil, [][]byte{mail("a.example")}, mail("jim@a.example"))
	named("a permitted URI", [][]byte{uri("a.example")}, nil, uri("spiffe://a.example/x"))
	named("a permitted URI with port and user", [][]byte{uri("a.example")}, nil, uri("https://u:p@a.example:8443/x?y#z"))
	named("a URI that is not permitted", [][]byte{uri("a.example")}, nil, uri("spiffe://b.example/x"))
	named("a URI whose user is the permitted host", [][]byte{uri("a.example")}, nil, uri("https://a.example@b.example/"))
	named("a URI with a backslash", [][]byte{uri("a.example")}, nil, uri("https://b.example\\@a.example/"))
	named("a URI of an address", [][]byte{uri("a.example")}, nil, uri("https://10.0.0.1/"))
	named("a URI of an IPv6 address", nil, [][]byte{uri("a.example")}, uri("https://[2001:db8::1]:443/"))
	named("a URI without a host", [][]byte{uri("a.example")}, nil, uri("urn:x:y"))
	named("an excluded URI", nil, [][]byte{uri("a.example")}, uri("spiffe://x.a.example/x"))
	named("a URI constraint of an address", [][]byte{uri("10.0.0.1")}, nil, uri("spiffe://a.example/x"))
	for _, text := range []string{"https://a.example:x/", "https://a.example:80:90/", "x://a.example:80:90/", "https://a%41.example/", "https://a.example/%zz", "http://[::1/", "a:b", ":a", "1:b", "/a", "//h/p", "https://a b/", "https://a.example./", "https://[fe80::1%25en0]/", "https://[1.2.3.4]/", "https://x[y]/"} {
		simple("the URI "+text, authority("root"), client(alternativeNames(uri(text))))
	}
	named("directory names are constrained", [][]byte{directory(simpleName(cn("x")))}, nil, dns("a.example"))
	named("constraints of no names", [][]byte{}, nil, dns("a.example"))
	below("a constraint that is not critical", client(alternativeNames(dns("b.example"))), ca("one", extension{[]int{2, 5, 29, 30}, false, nameConstraints(dnsOnly("a.example"), nil).value}))
	below("an intermediate against its issuer's constraint", client(), ca("one", nameConstraints(dnsOnly("a.example"), nil)), ca("two", alternativeNames(dns("b.example"))))
	{
		sent, roots := leafOf(ca("root", nameConstraints(dnsOnly("a.example"), nil)), []spec{authority("one")}, client(alternativeNames(dns("b.example"))))
		add("a root's constraint", sent, roots)
	}
	simple("a host that is not ASCII", authority("root"), client(alternativeNames(dns("\xc3\xa4"))))
	simple("an address of five bytes", authority("root"), client(alternativeNames(ip(1, 2, 3, 4, 5))))

	// Policies.
	policy := func(last int) []byte { return identifier(1, 3, 6, 1, 4, 1, 99999, 2, last) }
	anyPolicy := identifier(2, 5, 29, 32, 0)
	holds := func(policies ...[]byte) extension {
		var all [][]byte
		for _, one := range policies {
			all = append(all, sequence(one))
		}
		return ce(32, false, sequence(all...))
	}
	explicit := ce(36, true, sequence(element(0x80, []byte{0})))
	noMapping := ce(36, true, sequence(element(0x81, []byte{0})))
	mapped := func(from, to []byte) extension { return ce(33, true, sequence(sequence(from, to))) }
	below("a policy is asked for and held", client(holds(policy(1))), ca("one", explicit, holds(policy(1))))
	below("a policy is asked for and none held", client(), ca("one", explicit, holds(policy(1))))
	below("a policy is asked for and another held", client(holds(policy(2))), ca("one", explicit, holds(policy(1))))
	below("any policy above", client(holds(policy(2))), ca("one", explicit, holds(anyPolicy)))
	below("any policy below", client(holds(anyPolicy)), ca("one", explicit, holds(policy(1))))
	below("any policy below, inhibited", client(holds(anyPolicy)), ca("one", explicit, holds(policy(1)), ce(54, true, integer(0))))
	below("a policy that is mapped", client(holds(policy(2))), ca("one", explicit, holds(policy(1)), mapped(policy(1), policy(2))))
	below("a policy that is mapped, and held by its old name", client(holds(policy(1))), ca("one", explicit, holds(policy(1)), mapped(policy(1), policy(2))))
	below("any policy mapped", client(holds(policy(2))), ca("one", holds(policy(1)), mapped(anyPolicy, policy(2))))
	below("a mapping that is inhibited", client(holds(policy(2))), ca("zero", noMapping, holds(policy(1))), ca("one", explicit, holds(policy(1)), mapped(policy(1), policy(2))))
	below("a mapping of any policy above", client(holds(policy(2))), ca("one", explicit, holds(anyPolicy), mapped(policy(1), policy(2))))
	below("policies that differ and nobody asks", client(holds(policy(2))), ca("one", holds(policy(1))))
	below("a leaf that asks for a policy", client(holds(policy(2)), explicit), ca("one", holds(policy(1))))
	below("a policy twice", client(holds(policy(1), policy(1))), ca("one"))

	// What is sent, and in which order.
	arranged := func(label string, arrange func(sent, roots []*pair) ([]*pair, []*pair)) {
		sent, roots := arrange(leafOf(authority("root"), []spec{authority("one"), authority("two")}, client()))
		add(label, sent, roots)
	}
	arranged("intermediates in another order", func(sent, roots []*pair) ([]*pair, []*pair) { return []*pair{sent[0], sent[2], sent[1]}, roots })
	arranged("an intermediate is missing", func(sent, roots []*pair) ([]*pair, []*pair) { return []*pair{sent[0], sent[2]}, roots })
	arranged("the root is sent, too", func(sent, roots []*pair) ([]*pair, []*pair) { return append(sent, roots...), roots })
	arranged("a certificate twice and a stranger between", func(sent, roots []*pair) ([]*pair, []*pair) {
		return []*pair{sent[0], issue(nil, authority("stranger")), sent[1], sent[1], sent[2]}, roots
	})
	arranged("an intermediate is trusted itself", func(sent, roots []*pair) ([]*pair, []*pair) { return sent[:1], []*pair{sent[1]} })
	arranged("two roots", func(sent, roots []*pair) ([]*pair, []*pair) {
		return sent, []*pair{issue(nil, authority("other")), roots[0]}
	})
	arranged("nothing is trusted that fits", func(sent, roots []*pair) ([]*pair, []*pair) {
		return sent, []*pair{issue(nil, spec{subject: roots[0].name, extensions: authority("").extensions})}
	})
	arranged("roots of the same name", func(sent, roots []*pair) ([]*pair, []*pair) {
		return sent, []*pair{issue(nil, spec{subject: roots[0].name, extensions: authority("").extensions}), roots[0]}
	})
	arranged("roots of the same name, the other way round", func(sent, roots []*pair) ([]*pair, []*pair) {
		return sent, []*pair{roots[0], issue(nil, spec{subject: roots[0].name, extensions: authority("").extensions})}
	})
	arranged("the leaf stands behind its issuer", func(sent, roots []*pair) ([]*pair, []*pair) { return []*pair{sent[1], sent[0], sent[2]}, roots })
	{
		// The same authority is certified by two roots; the better one is not the first.
		key := newKey()
		good, bad := issue(nil, authority("good")), issue(nil, authority("bad", basicConstraints(true, 0), keyUsage(0x04)))
		one := with(authority("one"), func(s *spec) { s.key = key })
		byGood, byBad := issue(good, one), issue(bad, one)
		leaf := issue(byGood, client())
		add("two ways, the first of which is barred", []*pair{leaf, byBad, byGood}, []*pair{bad, good})
		add("key identifiers that do not match", []*pair{issue(byGood, client(ce(35, false, sequence(element(0x80, []byte{9, 9}))))), byGood}, []*pair{good})
		loop := issue(&pair{nil, byGood.name, key}, one)
		add("an authority that certified itself, in a circle", []*pair{leaf, loop, loop}, []*pair{good})
	}
	{
		// A hundred that claim to have issued it, all with another key, before the one that did.
		root := issue(nil, authority("root"))
		claimed := authority("one")
		one := issue(root, claimed)
		many := []*pair{issue(one, client())}
		for range 105 {
			many = append(many, issue(root, claimed))
		}
		add("more issuers than are looked at", append(many, one), []*pair{root})
	}

	// Subjects.
	subject := func(label string, rdns ...[]attribute) {
		simple("subject: "+label, authority("root"), spec{subject: name(rdns...), extensions: []extension{usages(clientAuth)}})
	}
	raw := func(arcs []int, tag byte, value string) []attribute { return []attribute{{arcs, tag, []byte(value)}} }
	common, organization := []int{2, 5, 4, 3}, []int{2, 5, 4, 10}
	subject("empty")
	subject("an empty RDN", []attribute{}, []attribute{cn("a")})
	subject("only organizations", []attribute{org("system:masters")})
	subject("an empty common name", []attribute{cn("")}, []attribute{org("x")})
	subject("a common name and an empty one", []attribute{cn("a")}, []attribute{cn("")})
	subject("several of each", []attribute{cn("a")}, []attribute{org("x")}, []attribute{cn("b")}, []attribute{org("y")}, []attribute{org("x")})
	subject("one RDN of several", []attribute{org("y"), cn("a"), org("x"), cn("b")})
	subject("an empty organization", []attribute{cn("a")}, []attribute{org("")})
	subject("separators in text", []attribute{cn("a,O=system:masters+CN=b\\,/O=x")}, []attribute{org("a\nO=system:masters")})
	subject("blanks around texts", []attribute{cn(" mallory ")}, []attribute{org("system:masters ")}, []attribute{org(" system:masters")}, []attribute{org("\tsystem:masters")})
	subject("line feeds and a zero", []attribute{cn("a\nb\x00c\r")})
	subject("outside of ASCII", []attribute{cn("zoë 🦀")}, []attribute{org("группа")})
	subject("UTF-8 that is broken", raw(common, 0x0c, "a\xff"))
	subject("a printable string", raw(common, 0x13, "a b&*"))
	subject("a printable string with more", raw(common, 0x13, "a@b"))
	subject("T.61", raw(common, 0x14, "zo\xeb\x00"), raw(organization, 0x14, "\x80\xff"))
	subject("BMP", raw(common, 0x1e, "\x00a\x04\x30"))
	subject("BMP with a zero at its end", raw(common, 0x1e, "\x00a\x00\x00"))
	subject("BMP with surrogates", raw(common, 0x1e, "\xd8\x3e\xdd\x80"))
	subject("BMP of three bytes", raw(common, 0x1e, "\x00a\x00"))
	subject("an IA5 string", raw(common, 0x16, "a@b"))
	subject("an IA5 string with more", raw(common, 0x16, "\xe9"))
	subject("a numeric string", raw(common, 0x12, "12 3"))
	subject("a numeric string with more", raw(common, 0x12, "1a"))
	subject("a universal string", raw(common, 0x1c, "\x00\x00\x00a"))
	subject("a visible string", raw(common, 0x1a, "a"))
	subject("bytes", raw(common, 0x04, "a"))
	subject("an identifier that only looks like a common name", raw([]int{2, 5, 4, 3, 1}, 0x0c, "a"), []attribute{cn("b")})
	subject("no text for something else", []attribute{cn("a")}, raw([]int{1, 2, 3}, 0x02, "\x05"))
	subject("a uid", []attribute{cn("a")}, []attribute{uid("u-1")})
	subject("an empty uid", []attribute{cn("a")}, []attribute{uid("")})
	subject("two uids", []attribute{cn("a")}, []attribute{uid("u-1"), uid("u-2")})
	subject("a serial number", []attribute{cn("a")}, raw([]int{2, 5, 4, 5}, 0x13, "system:masters"))
	return all
}

func big2(value *big.Int) []byte {
	content := value.Bytes()
	if content[0] >= 0x80 {
		content = append([]byte{0}, content...)
	}
	return element(2, content)
}

// weakKey has 1016 bits, which Go makes no more.
func weakKey() crypto.Signer {
	for {
		p, q := must(rand.Prime(rand.Reader, 508)), must(rand.Prime(rand.Reader, 508))
		n := new(big.Int).Mul(p, q)
		one := big.NewInt(1)
		phi := new(big.Int).Mul(new(big.Int).Sub(p, one), new(big.Int).Sub(q, one))
		d := new(big.Int).ModInverse(big.NewInt(65537), phi)
		if d == nil || n.BitLen() != 1016 {
			continue
		}
		return &rawRsa{&rsa.PublicKey{N: n, E: 65537}, d}
	}
}
